import Foundation
import Testing

/// Checks that every Swift example in the documentation is part of this target or of another test target.
///
/// This ensures that the examples compile and that their tests run.
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

    /// Returns the lines of each Swift code block in Markdown text, without indentation.
    private static func blocks(of text: String) -> [[Substring]] {
        text.matches(of: /(?ms)^ *```swift\n(.*?)^ *```$/).map { match in
            match.1.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop(while: { $0 == " " }) }
        }
    }

    @Test func `every code block on a migration page is a tested example, a manifest, a command or output`() throws {
        let pages = Self.files(in: Self.root.appendingPathComponent("Docs/Migration"), of: "md")
        #expect(pages.count >= 4)
        for page in pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            let blocks = text.matches(of: /(?ms)^ *```(\w*)\n(.*?)^ *```$/)
            // Every fence must begin or end one of the blocks. Otherwise, the pattern has missed a block.
            #expect(blocks.count * 2 == text.matches(of: /(?m)^ *```/).count, "\(page.lastPathComponent)")
            for block in blocks where !["swift", "sh", "text"].contains(block.1) {
                // Tests/Migration/check validates manifests with several tools versions.
                #expect(block.2.hasPrefix("// Package.swift\n"), "\(page.lastPathComponent): \(block.2)")
            }
            #expect(blocks.contains { $0.2.hasPrefix("// Package.swift\n") }, "\(page.lastPathComponent)")
        }
    }

    @Test func `every example in the documentation is part of a test target`() throws {
        let folders = [
            "DocumentationTests/Examples", "ResonanceKitTests/Readme", "RelayServerTests/Examples",
            "Server/WeatherService/Tests",
        ].map {
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
                    "\(document.lastPathComponent): no test target contains this example: \(block.first ?? "")")
                count += 1
            }
        }
        #expect(count > 0)
    }
}

extension Array {
    /// Returns the elements without the trailing ones that satisfy a predicate.
    fileprivate func dropLast(while fits: (Element) -> Bool) -> ArraySlice<Element> {
        prefix((lastIndex { !fits($0) } ?? -1) + 1)
    }
}
