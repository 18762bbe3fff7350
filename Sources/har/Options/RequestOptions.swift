import ArgumentParser
import EntryConditions
import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The options of a request, named after curl's options.
struct RequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X", allowingJoined: true), .customLong("request")],
        help: "The request method; GET by default, or POST if there is data to send.",
        completion: .list(EntryConditions.methods))
    var method: String?

    @Option(
        name: [.customShort("H", allowingJoined: true), .customLong("header")],
        help: "A header field: 'Name: value'; may be repeated.")
    var headers: [HeaderLine] = []

    @Option(
        name: [.customShort("d", allowingJoined: true), .long, .customLong("data-ascii")],
        help: "Form data to send, or @FILE to read a file without its line breaks; repeated options are joined with &.",
        transform: { DataOption(.text, $0) })
    var data: [DataOption] = []

    @Option(help: "Data to send, even if it begins with @.", transform: { DataOption(.raw, $0) })
    var dataRaw: [DataOption] = []

    @Option(help: "Data to send, or @FILE to read a file unchanged.", transform: { DataOption(.binary, $0) })
    var dataBinary: [DataOption] = []

    @Option(
        help: "Data to send percent-encoded: CONTENT, =CONTENT, NAME=CONTENT, @FILE or NAME@FILE.",
        transform: { DataOption(.encoded, $0) })
    var dataUrlencode: [DataOption] = []

    @Option(
        help: "JSON to send, or @FILE; sets Content-Type and Accept. Repeated options are concatenated.",
        transform: { DataOption(.binary, $0) })
    var json: [DataOption] = []

    @Option(
        name: [.customShort("F", allowingJoined: true), .customLong("form")],
        help: ArgumentHelp(
            "A field of a multipart form: NAME=TEXT, NAME=@FILE to attach a file, or NAME=<FILE to read the text from "
                + "a file; each can be followed by ;type=TYPE and ;filename=NAME.", valueName: "field"),
        transform: { argument in
            guard let option = FormOption(argument) else {
                throw ValidationError("expected NAME=TEXT or NAME=@FILE, found '\(argument.printable)'")
            }
            return option
        })
    var form: [FormOption] = []

    @Flag(name: [.customShort("I"), .customLong("head")], help: "Request the header fields only.")
    var isHead = false

    @Option(
        name: [.customShort("u", allowingJoined: true), .customLong("user")],
        help: "USER:PASSWORD for Basic authentication.")
    var user: String?

    @Option(
        name: [.customShort("A", allowingJoined: true), .customLong("user-agent")], help: "The User-Agent header field."
    )
    var userAgent: String?

    @Option(name: [.customShort("e", allowingJoined: true), .customLong("referer")], help: "The Referer header field.")
    var referrer: String?

    @Option(
        name: [.customShort("b", allowingJoined: true), .customLong("cookie")],
        help: ArgumentHelp("Cookies to send, such as 'a=1; b=2'.", valueName: "cookies"))
    var cookies: [String] = []

    @Flag(help: "Accepted for compatibility: URLSession always requests compressed responses.")
    var compressed = false

    @Flag(name: [.customShort("k"), .customLong("insecure")], help: .hidden)
    var isInsecure = false

    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("max-time")],
        help: "The maximum time for each URL, in seconds.")
    var seconds: Double?

    /// The maximum time for each URL; nil if it is not limited.
    var timeLimit: Duration? { seconds.map { Duration(clampingSeconds: $0) } }

    /// The maximum value of `--max-time` that has an effect, in seconds.
    private static let longestTime = 1e8

    /// The boundary between the fields of a form.
    ///
    /// It is random, so that it does not occur in the fields.
    private static let boundary = "------------------------" + UUID().uuidString.replacing("-", with: "")

    /// All data options except JSON, in command-line order.
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
        if !form.isEmpty, !json.isEmpty || !dataOptions.isEmpty || isHead {
            throw ValidationError("--form cannot be used with data, --json or --head")
        }
        if isInsecure {
            throw ValidationError(
                "--insecure is not supported, because URLSession always verifies certificates; add the server's "
                    + "certificate to the system's trust store")
        }
        if let file = cookies.first(where: { !$0.contains("=") }) {
            throw ValidationError(
                "expected NAME=VALUE for --cookie, found '\(file.printable)'; cookie files are not supported")
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
        // URLSession on Linux ignores fractions of a second. It limits the time between two bytes.
        if let seconds { request.timeoutInterval = max(1, min(seconds, Self.longestTime)).rounded(.up) }
        let given = Set(headers.map { $0.name.lowercased() })
        for (name, value) in defaultHeaders(hasBody: body != nil) where !given.contains(name.lowercased()) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        for header in headers {
            if let value = header.value { request.addValue(value, forHTTPHeaderField: header.name) }
        }
        return request
    }

    /// Returns the request body, or nil if there is no data to send.
    ///
    /// - Throws: `unreadableFile` if a file that an option names cannot be read.
    func body() throws(HARError) -> Data? {
        if !form.isEmpty {
            let fields = try form.map { option throws(HARError) in try option.field() }
            return MultipartBody.body(fields, boundary: Self.boundary)
        }
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
        if !form.isEmpty {
            fields = [("Content-Type", "multipart/form-data; boundary=\(Self.boundary)")]
        } else if !json.isEmpty {
            fields = [("Content-Type", "application/json"), ("Accept", "application/json")]
        } else if hasBody {
            fields = [("Content-Type", "application/x-www-form-urlencoded")]
        }
        if let userAgent { fields.append(("User-Agent", userAgent)) }
        if let referrer { fields.append(("Referer", referrer)) }
        if !cookies.isEmpty { fields.append(("Cookie", cookies.joined(separator: "; "))) }
        if let user { fields.append(("Authorization", "Basic " + Data(user.utf8).base64EncodedString())) }
        return fields
    }
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
