import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerSampleTests {
    @Test(arguments: [
        "chromium-embed.har", "chromium-omit.har", "chromium-attach/chromium-attach.har", "mitmproxy.har",
    ])
    func `captures from real tools have no errors`(name: String) throws {
        let folder = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        var errors: [HARFinding] = []
        try HARChecker.check(contentsOf: folder.appending(path: "HARSamples/\(name)")) { finding in
            if finding.severity == .error { errors.append(finding) }
        }
        #expect(errors == [])
    }
}
