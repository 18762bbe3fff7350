import Foundation
import Testing

@testable import HTTPArchive

/// Tests that the values of header fields, cookies and items are redacted regardless of their JSON type.
@Suite(.limited) struct RedactedValueTypeTests {
    private static let secret = "S3cr3tTokenValue9876"
    private static let number = "12345678901234567"

    @Test(
        arguments: [
            (#"{"name": "X-Api-Key", "value": ["\(s)"]}"#, "headers"),
            (#"{"name": "X-Api-Key", "value": \(n)}"#, "headers"),
            (#"{"key": "Authorization", "value": "\(s)"}"#, "headers"),
            (#"{"Name": "Authorization", "Value": "\(s)"}"#, "headers"),
            (#"{"name": "Authorization", "val": "\(s)"}"#, "headers"), (#"{"Authorization": "\(s)"}"#, "headers"),
            (#"["X-Api-Key", "\(s)"]"#, "headers"), (#"["X-Api-Key", \(n)]"#, "headers"),
            (#"{"name": "Cookie", "value": {"sid": "\(s)"}}"#, "headers"),
            (#"{"name": "sid", "value": \(n)}"#, "cookies"), (#"{"name": "sid", "value": ["\(s)"]}"#, "cookies"),
            (#"{"name": "sid", "value": {"a": {"b": "\(s)"}}}"#, "cookies"), (#"["sid", "\(s)"]"#, "cookies"),
            (#"{"name": "access_token", "value": \(n)}"#, "queryString"), (#"["api_key", "\(s)"]"#, "queryString"),
            (#"{"key": "token", "value": "\(s)"}"#, "queryString"), (#"{"name": "password", "value": \(n)}"#, "params"),
            (#"{"name": "password", "value": ["\(s)"]}"#, "params"), (#"["password", "\(s)"]"#, "params"),
        ].map { ($0.0.replacing(#"\(s)"#, with: secret).replacing(#"\(n)"#, with: number), $0.1) })
    func `a secret is replaced in a value of any type`(element: String, list: String) throws {
        let lists =
            list == "params"
            ? #""postData": {"mimeType": "application/x-www-form-urlencoded", "params": [\#(element)]}"#
            : #""\#(list)": [\#(element)]"#
        let text = #"{"request": {"method": "GET", "url": "https://a.test/", \#(lists)}, "response": {"status": 200}}"#
        let entry = HAR.Entry(fields: try #require(JSONValue(parsing: Data(text.utf8)).object))
        var configuration = HARRedactor.Configuration()
        configuration.key = .random()
        let redactor = try HARRedactor(configuration)
        var findings: [HARRedactor.Finding] = []
        let event = redactor.redacted(.entry(entry), noting: &findings)
        guard case .entry(let redacted) = event else { return #expect(Bool(false)) }
        let result = String(decoding: JSONValue.object(redacted.fields).data(), as: UTF8.self)
        #expect(!result.contains(Self.secret) && !result.contains(Self.number), "\(result)")
        #expect(!findings.isEmpty)
    }
}
