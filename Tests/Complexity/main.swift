import Foundation

@testable import HTTPArchive
@testable import Innernet
@testable import RelayCore

/// A function whose work must grow in proportion to the length of its input.
struct LinearFunction {
    let name: String

    /// Texts that are repeated to form inputs.
    let parts: [String]

    let run: (String) throws -> Void
}

let redactor = try HARRedactor(
    {
        var configuration = HARRedactor.Configuration()
        configuration.key = HARRedactor.Key(phrase: "a key for measuring")
        return configuration
    }())

let functions = [
    LinearFunction(name: "FieldParameters", parts: [";", "\"", "\\", "=", "a=b;", "\"\\"]) { _ = FieldParameters($0) },
    LinearFunction(name: "FormEncoding", parts: ["&", "=", "a=b&", "%", "a", "&="]) {
        _ = FormEncoding.items(of: $0[...], invalidText: .repaired)
    },
    LinearFunction(name: "LiteralURL", parts: ["/", ":", "@", "?", "#", "a", "[", "://", "\\"]) {
        _ = LiteralURL("http://" + $0).withoutFragment
    },
    LinearFunction(name: "PercentEncoding", parts: ["%", "%4", "%41", "a", "+", "%%4"]) {
        _ = PercentEncoding.decoded($0[...].utf8, plusIsSpace: true)
        _ = PercentEncoding.encoded($0[...], keeping: .form, keepsEscapes: true)
        _ = PercentEncoding.normalized($0[...].utf8, delimiters: .urlPart)
    },
    LinearFunction(name: "MultipartPart", parts: ["--b\r\n", "--b\n\n", "\n", ":", "--b", "a:\n", "content-type:x\n"]) {
        Array($0.utf8).withUnsafeBytes { bytes in
            for tolerance in [MultipartPart.Tolerance.all, .complete] {
                for _ in MultipartPart.Parts(of: bytes, boundary: Array("b".utf8), tolerance: tolerance) {}
            }
        }
    },
    LinearFunction(name: "WildcardPattern", parts: ["a", "/", "ab"]) {
        _ = WildcardPattern(String(repeating: "a*", count: 20) + "b", separators: "/").matches($0)
    },
    LinearFunction(name: "a long body", parts: ["x", "\\n", "é", "\\u00e9"]) { text in
        let decoder = HARDecoder(limits: JSONScanner.Limits(), file: nil)
        let document = Array(#"{"log":{"entries":[{"text":"\#(text)"}]}}"#.utf8)
        for start in stride(from: 0, to: document.count, by: 200) {
            document[start..<min(start + 200, document.count)].withUnsafeBytes { decoder.feed($0) }
        }
    },
    LinearFunction(name: "a log with many members", parts: [#""m":1,"#, #""\u0061":{},"#]) {
        _ = try HAR.Log(data: Data("{\"log\":{\($0)\"z\":0}}".utf8))
    },
    LinearFunction(name: "JSONEditor", parts: [#"{"id":17,"tags":["a"],"x":{"id":[[{"id":null}]]}},"#]) {
        var editor = try JSONEditor(Data("[\($0)0]".utf8))
        editor.replaceMembers(["id": 1, "other": 2])
    },
    LinearFunction(
        name: "HARRedactor",
        parts: [
            "eyJ-", "eyJ.", "Bearer ", "Bearer a", "xoxb-", "4", "4111 ", "-----BEGIN ", "-----BEGIN PRIVATE KEY",
            "sk-", "AKIA", "://", "http://a:", "AAAA", "%41", "\\u0041", "{\"a\":\"", "[", "code=", "password=a&",
            "a=b;", "{", "\\\"", "://@", "REDACTED-", "REDACTED-0123456789abcdef", "YWFhYWFhYWFhYWFhYWFhYWFhYWFh ",
            "\"token\":\"a\",", "query{a:\"", "a:\"b", "(pin)values('", "(pin)values(", "pin=a(\"", "pin in(",
            "set('pin','",
            "s:3:\"pin\";", "s:9:\"s:3:\"", "pin,a\n", "pin,\"a\n", "pin=''", "/reset", "/reset/a1b2c3", "'nonce-a",
            "<option>",
        ]
    ) {
        for type in ["text/plain", "application/json", "application/x-www-form-urlencoded"] {
            _ = redactor.redacted(body: Data($0.utf8), mediaType: type)
        }
    },
    LinearFunction(
        name: "MessageRedactor.body",
        parts: ["{", "[", "\"", "\\", "\"token\":", "\"token\":[", "\"token\":{\"a\":", ":", "}", "\\\""]
    ) { _ = MessageRedactor.standard.body(Data($0.utf8), mediaType: "application/json") },
    LinearFunction(
        name: "MessageRedactor.url",
        parts: ["=", "&", "?", ";", "%", "/", "a=", "token", "#", "@", "\u{301}", "=token"]
    ) { _ = MessageRedactor.standard.url("https://a.b/?" + $0) },
    LinearFunction(name: "Route", parts: ["/", "%", "?", "#", "@", ":", "a", "\u{301}"]) {
        let route = try Route(from: "a.test/x", to: "b.test/y")
        for start in ["http://a.test/x/", "", "http://"] { _ = route.rerouted(start + $0) }
    },
    LinearFunction(name: "Conditions", parts: [#"W/"0123456789", "#, "\"", ",", "a"]) { text in
        _ = Conditions { $0 == "if-none-match" ? text : nil }
    },
    LinearFunction(
        name: "InterceptPattern",
        parts: [
            "/", "%", "%2", "%2F", "?", "&", "=", "*", "**/", "a/", "@", "#", ":", "[", "\u{301}", "\u{0}",
        ]
    ) { text in
        for start in ["", "http://", "http://a/", "http://a/?"] {
            _ = InterceptPattern(start + text).matches(start + text)
            _ = InterceptPattern("b.c/d").matches(start + text)
        }
    },
]

/// Starts the measured part.
///
/// `Tests/Complexity/run` lets the profiler count from here.
@inline(never) func relayMeasurementBegins() {}

/// Ends the measured part.
@inline(never) func relayMeasurementEnds() {}

// Each measurement is a line of the output. The profiler numbers its results in the same order.
for function in functions {
    for part in function.parts {
        // The first run, which prepares constants, is not compared.
        for size in [1 << 10, 1 << 10, 1 << 13] {
            // Base64 is decoded only if its length is valid, so all lengths have the same remainder.
            let text = String(repeating: part, count: size / part.utf8.count & ~3)
            relayMeasurementBegins()
            // Some inputs are invalid on purpose.
            try? function.run(text)
            relayMeasurementEnds()
            print("\(function.name)\t\(part.debugDescription)\t\(size)")
        }
    }
}
