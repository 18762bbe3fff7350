import Foundation
import HTTPArchive
import Testing

struct DescriptorLimitTests {
    #if os(Linux)
        @Test func `the table of files is extended at once, and keeps the files`() throws {
            let limit = DescriptorLimit.raise()
            DescriptorLimit.extendTable(to: min(limit, 2000))
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let size = try #require(status.firstMatch(of: #/FDSize:\s*(\d+)/#).flatMap { Int($0.output.1) })
            #expect(size >= min(limit, 2000))
            #expect(fcntl(STDERR_FILENO, F_GETFD) != -1)
            // No table is that large.
            DescriptorLimit.extendTable(to: .max)
            #expect(fcntl(CInt.max, F_GETFD) == -1)
        }
    #endif
}
