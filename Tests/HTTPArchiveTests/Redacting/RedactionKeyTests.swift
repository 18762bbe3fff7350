import Foundation
import Testing

@testable import HTTPArchive

/// The source of the key for placeholders.
@Suite(.limited) struct RedactionKeyTests {
    @Test func `a key is private to the user and is reused`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("data/relay/redaction.key")
        let key = try UserKey.bytes(keptIn: file)
        #expect(key.count == 32)
        #expect(try UserKey.bytes(keptIn: file) == key)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == [
                "redaction.key"
            ])
    }

    @Test func `concurrent callers receive the same key`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("redaction.key")
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<32 { group.addTask { try UserKey.bytes(keptIn: file) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test func `a file with other content is not used as a key and is unchanged`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("redaction.key")
        try Data("short".utf8).write(to: file)
        #expect(throws: HARError.self) { try UserKey.bytes(keptIn: file) }
        #expect(try Data(contentsOf: file) == Data("short".utf8))
    }

    @Test func `the environment variable takes precedence, and a weak value is rejected`() throws {
        let phrase = "0123456789abcdef"
        #expect(try UserKey.bytes(environment: [UserKey.variable: phrase]) == HARRedactor.Key.bytes(ofPhrase: phrase))
        do {
            _ = try UserKey.bytes(environment: [UserKey.variable: "hunter22"])
            Issue.record("no error was thrown")
        } catch {
            #expect(error.code == .invalidSetting)
            #expect(!"\(error)".contains("hunter22"))
        }
    }

    @Test func `the description of a key does not contain its bytes`() {
        let key = HARRedactor.Key(phrase: "hunter22")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains { $0.isNumber })
        #expect(HARRedactor.Key.random() != .random())
    }
}
