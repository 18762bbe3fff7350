import Foundation
import Testing

@testable import HTTPArchive
@testable import RelayCore

@Suite(.limited) struct ErrorPageTests {
    @Test func `Docs/Errors.md explains each code, in alphabetical order`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Docs/Errors.md"), encoding: .utf8)
        let sections = page.split(separator: "\n## ").dropFirst().map { section in
            section.matches(of: /(?m)^### (\w+)$\n\n\S/).map { String($0.1) }
        }
        let codes = (HARError.Code.all.map(\.description), RelayError.Code.all.map(\.description))
        #expect(sections.count == 2)
        #expect(sections.allSatisfy { $0 == $0.sorted() })
        #expect(Set(sections[0]).isSubset(of: codes.0))
        #expect(Set(sections[1]) == Set(codes.1))
        #expect(sections.joined().sorted() == Set(codes.0 + codes.1).sorted())
    }

    @Test func `a description has the code at the end of its first line`() {
        let location = HARError.Context(file: "a.har", line: 1, column: 2)
        #expect(HARError(.fileInUse, "One.\nTwo.\n", at: location).description == "a.har:1:2: One. [fileInUse]\nTwo.\n")
        #expect(RelayError(.noMatchingEntry, "One.").localizedDescription == "One. [noMatchingEntry]")
    }
}
