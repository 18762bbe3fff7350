import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

@Suite(.limited, .enabled(if: Corpus.folder != nil, Corpus.isThere)) struct HARCheckerCorpusTests {
    private static func findings(_ url: URL) throws(HARError) -> [HARFinding] {
        var findings: [HARFinding] = []
        try HARChecker.check(contentsOf: url) { findings.append($0) }
        return findings
    }

    @Test func `every JSON file is checked completely`() throws {
        var count = 0
        for file in Corpus.files {
            do throws(HARError) {
                _ = try Self.findings(file)
                count += 1
            } catch {
                #expect(error.code == .notAnArchive || file.lastPathComponent == "not-json.har", "\(error)")
            }
        }
        #expect(count == 44)
    }

    @Test func `exports from Chrome and Firefox have no errors`() throws {
        for file in Corpus.files where file.lastPathComponent.contains(/issue-.*(chrome|ff|firefox)/) {
            #expect(try Self.findings(file).filter { $0.severity == .error } == [])
        }
    }

    @Test func `a log without entries is reported as an error`() throws {
        let file = try #require(Corpus.files.first { $0.lastPathComponent == "not-valid.har" })
        let errors = try Self.findings(file).filter { $0.severity == .error }
        #expect(errors.map(\.rule) == [.missingField])
        #expect(errors.map(\.pointer.description) == ["/log"])
        #expect(errors.map(\.byteOffset) == [10])
    }

    @Test func `every location in a file corresponds to its JSON pointer`() throws {
        for file in Corpus.files {
            let data = try Data(contentsOf: file)
            guard let findings = try? Self.findings(file),
                let document = try? JSONValue(parsing: data.starts(with: [0xEF]) ? data.dropFirst(3) : data)
            else { continue }
            for finding in findings {
                let value = finding.pointer.components.reduce(JSONValue?.some(document)) { value, component in
                    Int(component).flatMap { value?[$0] } ?? value?[component]
                }
                let offset = try #require(finding.byteOffset)
                #expect(value != nil && offset < data.count, "\(finding)")
            }
        }
    }
}
