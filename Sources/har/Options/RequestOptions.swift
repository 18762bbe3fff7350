import ArgumentParser
import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The options of a request, named after those of curl.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X", allowingJoined: true), .customLong("request")],
        help: "The method; GET by default, POST with data.")
    var method: String?

    @Option(
        name: [.customShort("H", allowingJoined: true), .customLong("header")],
        help: "A header field: 'Name: value'; may be repeated.")
    var headers: [HeaderLine] = []

    @Option(
        name: [.customShort("d", allowingJoined: true), .long, .customLong("data-ascii")],
        help: "Form data to send, or @FILE without its line breaks; several are joined with &.",
        transform: { DataOption(.text, $0) })
    var data: [DataOption] = []

    @Option(help: "Data to send, even if it begins with @.", transform: { DataOption(.raw, $0) })
    var dataRaw: [DataOption] = []

    @Option(help: "Data to send, or @FILE with its line breaks.", transform: { DataOption(.binary, $0) })
    var dataBinary: [DataOption] = []

    @Option(
        help: "Data to send percent-encoded: CONTENT, =CONTENT, NAME=CONTENT, @FILE or NAME@FILE.",
        transform: { DataOption(.encoded, $0) })
    var dataUrlencode: [DataOption] = []

    @Option(
        help: "JSON to send, or @FILE; sets Content-Type and Accept. Several are concatenated.",
        transform: { DataOption(.binary, $0) })
    var json: [DataOption] = []

    @Flag(name: [.customShort("I"), .customLong("head")], help: "Request the header fields only.")
    var isHead = false

    @Option(
        name: [.customShort("u", allowingJoined: true), .customLong("user")],
        help: "USER:PASSWORD for Basic authentication.")
    var user: String?

    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("max-time")],
        help: "The maximum time for each URL, in seconds.")
    var seconds: Double?

    /// All data options except JSON, in the order of the command line.
    private var dataOptions: [DataOption] {
        (data + dataRaw + dataBinary + dataUrlencode).sorted { $0.instant < $1.instant }
    }

    func validate() throws {
        if !json.isEmpty, !dataOptions.isEmpty { throw ValidationError("--json cannot be used with a --data option") }
        if isHead, !json.isEmpty || !dataOptions.isEmpty {
            throw ValidationError("--head cannot be used with data; use -X HEAD to send both")
        }
        if let method, !FieldSyntax.isToken(method) {
            throw ValidationError("expected a method for --request, found '\(method.printable)'")
        }
        if let user, !user.contains(":") { throw ValidationError("expected USER:PASSWORD for --user, found no ':'") }
        if let seconds, !(seconds > 0) { throw ValidationError("--max-time must be greater than 0") }
    }

    /// Returns the request for a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - body: The result of ``body()``.
    /// - Returns: The request.
    func request(_ url: URL, body: Data?) -> URLRequest {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = method ?? (isHead ? "HEAD" : body == nil ? "GET" : "POST")
        request.httpBody = body
        if let seconds { request.timeoutInterval = seconds }
        for (name, value) in defaultHeaders(hasBody: body != nil) where !headers.contains(where: { $0.isNamed(name) }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        for header in headers {
            if let value = header.value { request.addValue(value, forHTTPHeaderField: header.name) }
        }
        return request
    }

    /// Returns the request body, or nil if there is no data to send.
    ///
    /// - Throws: `unreadableFile` if a file of a data option cannot be read.
    func body() throws(HARError) -> Data? {
        if !json.isEmpty {
            var body = Data()
            for option in json.sorted(by: { $0.instant < $1.instant }) { body += try option.bytes() }
            return body
        }
        var body: Data?
        for option in dataOptions {
            let bytes = try option.bytes()
            body = body.map { $0 + Data("&".utf8) + bytes } ?? bytes
        }
        return body
    }

    private func defaultHeaders(hasBody: Bool) -> [(name: String, value: String)] {
        var fields: [(String, String)] = []
        if !json.isEmpty {
            fields = [("Content-Type", "application/json"), ("Accept", "application/json")]
        } else if hasBody {
            fields = [("Content-Type", "application/x-www-form-urlencoded")]
        }
        if let user { fields.append(("Authorization", "Basic " + Data(user.utf8).base64EncodedString())) }
        return fields
    }
}

extension HeaderLine {
    fileprivate func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

/// A header field in curl's syntax: `Name: value`, `Name;` for an empty value, `Name:` to remove the field.
struct HeaderLine: ExpressibleByArgument {
    /// The name of the field.
    let name: String

    /// The value, or `nil` for a field that is not sent.
    let value: String?

    init?(argument: String) {
        guard let mark = argument.firstIndex(where: { ":;".contains($0) }) else { return nil }
        let name = argument[..<mark]
        let rest = argument[argument.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
        guard FieldSyntax.isToken(String(name)), !rest.contains(where: \.isNewline) else { return nil }
        if argument[mark] == ";", !rest.isEmpty { return nil }
        self.name = String(name)
        value = argument[mark] == ";" ? "" : rest.isEmpty ? nil : String(rest)
    }
}
