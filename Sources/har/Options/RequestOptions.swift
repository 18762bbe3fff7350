import ArgumentParser
import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is asked, in the options of curl.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X", allowingJoined: true), .customLong("request")],
        help: "The method; GET by default, POST where data is sent.")
    var method: String?

    @Option(
        name: [.customShort("H", allowingJoined: true), .customLong("header")],
        help: "A header field, as 'Name: value'; may be repeated.")
    var headers: [HeaderLine] = []

    @Option(
        name: [.customShort("d", allowingJoined: true), .long, .customLong("data-ascii")],
        help: "Data of a form to send, or @FILE without its line breaks; several are joined by &.",
        transform: { DataPiece(.text, $0) })
    var data: [DataPiece] = []

    @Option(help: "Data to send as it is, even with @.", transform: { DataPiece(.raw, $0) })
    var dataRaw: [DataPiece] = []

    @Option(help: "Data to send, or @FILE with its line breaks.", transform: { DataPiece(.binary, $0) })
    var dataBinary: [DataPiece] = []

    @Option(
        help: "Data to send percent-encoded: CONTENT, =CONTENT, NAME=CONTENT, @FILE or NAME@FILE.",
        transform: { DataPiece(.encoded, $0) })
    var dataUrlencode: [DataPiece] = []

    @Option(
        help: "JSON to send, or @FILE; sets Content-Type and Accept. Several are put together.",
        transform: { DataPiece(.binary, $0) })
    var json: [DataPiece] = []

    @Flag(name: [.customShort("I"), .customLong("head")], help: "Ask for the header fields alone.")
    var isHead = false

    @Option(name: [.customShort("u", allowingJoined: true), .customLong("user")], help: "USER:PASSWORD, for Basic.")
    var user: String?

    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("max-time")], help: "The seconds a URL may take.")
    var seconds: Double?

    /// All pieces of data but JSON, in the order in which they were typed.
    private var pieces: [DataPiece] {
        (data + dataRaw + dataBinary + dataUrlencode).sorted { $0.instant < $1.instant }
    }

    func validate() throws {
        if !json.isEmpty, !pieces.isEmpty { throw ValidationError("Choose one of --json and the --data options.") }
        if isHead, !json.isEmpty || !pieces.isEmpty {
            throw ValidationError("Choose one of --head and data to send; with both in mind, use -X HEAD.")
        }
        if let method, !Self.isToken(method) { throw ValidationError("'\(method.printable)' is no method.") }
        if let user, !user.contains(":") { throw ValidationError("Give the password too, as USER:PASSWORD.") }
        if let seconds, !(seconds > 0) { throw ValidationError("The time must be more than nothing.") }
    }

    /// The request of a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - body: What ``body()`` gave.
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

    /// What is sent; `nil` for nothing.
    ///
    /// - Returns: The bytes.
    /// - Throws: `unreadableFile` for a file that data names.
    func body() throws(HARError) -> Data? {
        if !json.isEmpty {
            var body = Data()
            for piece in json.sorted(by: { $0.instant < $1.instant }) { body += try piece.bytes() }
            return body
        }
        var body: Data?
        for piece in pieces {
            let bytes = try piece.bytes()
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

    private static func isToken(_ text: String) -> Bool { HeaderLine(argument: text + ";") != nil }
}

extension HeaderLine {
    fileprivate func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

/// A header field as curl takes it: `Name: value`, `Name;` for one without a value, `Name:` for none.
struct HeaderLine: ExpressibleByArgument {
    /// What a name may have besides letters and digits.
    ///
    /// RFC 9110, section 5.6.2: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
    private static let marks = Set("!#$%&'*+-.^_`|~")

    /// The name.
    let name: String

    /// The value; `nil` for a field that is not to be sent.
    let value: String?

    init?(argument: String) {
        guard let mark = argument.firstIndex(where: { ":;".contains($0) }) else { return nil }
        let name = argument[..<mark]
        let rest = argument[argument.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || Self.marks.contains($0) }
        guard !name.isEmpty, isName, !rest.contains(where: \.isNewline) else { return nil }
        if argument[mark] == ";", !rest.isEmpty { return nil }
        self.name = String(name)
        value = argument[mark] == ";" ? "" : rest.isEmpty ? nil : String(rest)
    }
}
