import Foundation
import Testing

/// Checks that all Swift code in the documentation is part of this target or of the target with ResonanceKit's
/// examples: it compiles, and its tests run.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(in folder: URL, of type: String) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == type }
    }

    private static var documents: [URL] {
        [root.appendingPathComponent("README.md")]
            + ["Docs", "Sources"].flatMap { files(in: root.appendingPathComponent($0), of: "md") }
    }

    /// Returns the Swift blocks in a text, without their common indentation.
    private static func blocks(of text: String) -> [[Substring]] {
        text.matches(of: /(?ms)^```swift\n(.*?)^```$/).map { match in
            match.1.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop(while: { $0 == " " }) }
        }
    }

    @Test func `every example of the documentation is code that compiles`() throws {
        let folders = ["DocumentationTests/Examples", "ResonanceKitTests/Readme"].map {
            Self.root.appendingPathComponent("Tests").appendingPathComponent($0)
        }
        let examples = try folders.flatMap { Self.files(in: $0, of: "swift") }.map { file in
            let lines = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { $0.drop(while: { $0 == " " }) }
        }
        var count = 0
        for document in Self.documents {
            for block in Self.blocks(of: try String(contentsOf: document, encoding: .utf8)) {
                let lines = block.dropLast(while: \.isEmpty)
                #expect(
                    examples.contains { $0.firstRange(of: lines) != nil },
                    "no such code in Examples: \(document.lastPathComponent), \(block.first ?? "")")
                count += 1
            }
        }
        #expect(count > 0)
    }
}

extension Array {
    /// Returns the elements without the matching ones at the end.
    fileprivate func dropLast(while fits: (Element) -> Bool) -> ArraySlice<Element> {
        prefix((lastIndex { !fits($0) } ?? -1) + 1)
    }
}
