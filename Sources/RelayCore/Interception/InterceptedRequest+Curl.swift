import Foundation

extension InterceptedRequest {
    /// The request as a command for a POSIX shell, which sends it by `curl`.
    ///
    /// The method, the URL, the header fields and the body are those of this request. `Content-Length` and `Host` are left
    /// to `curl`, which also adds a `User-Agent` and an `Accept` where the request has none.
    ///
    /// - Parameter maskingSecrets: Whether `•••` stands for what is secret: user and password, credentials and cookies,
    ///   and the values of header fields, query items, form fields and JSON members whose names say so. `true` by default;
    ///   the command is then fit to be shown, and not to be run.
    /// - Returns: The command, in one line unless the request has line breaks.
    /// - Complexity: O(*n*) in the size of the request.
    public func curlCommand(maskingSecrets: Bool = true) -> String {
        let request = maskingSecrets ? withoutSecrets : self
        let body = CurlBody(of: request)
        let words =
            request.curlMethod(hasBody: body != nil) + request.curlURL + request.curlFields(hasBody: body != nil)
        let command = (["curl"] + words + (body?.options ?? [])).joined(separator: " ")
        return (body?.source.map { "\($0) | " } ?? "") + command
    }

    /// The options for the method, where it is not the one that `curl` takes by itself.
    private func curlMethod(hasBody: Bool) -> [String] {
        let isPlain = !method.isEmpty && method.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        return switch method {
        case hasBody ? "POST" : "GET": []
        case "HEAD" where !hasBody: ["--head"]
        default: ["-X", isPlain ? method : ShellText.quoted(Self.line(method))]
        }
    }

    /// The URL, and the options without which `curl` would read it as a pattern, rewrite its path, or take it for an option.
    private var curlURL: [String] {
        var text = ""
        for scalar in url.unicodeScalars {
            let isPlain = scalar.value > 0x20 && scalar.value != 0x7F
            let digits = String(scalar.value, radix: 16, uppercase: true)
            text += isPlain ? String(scalar) : "%\(digits.count < 2 ? "0" : "")\(digits)"
        }
        var words: [String] = []
        if text.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
        if RawURLComponents(text).path.contains("/.") { words.append("--path-as-is") }
        if text.utf8.first == UInt8(ascii: "-") { words.append("--url") }
        return words + [ShellText.quoted(text)]
    }

    private func curlFields(hasBody: Bool) -> [String] {
        var fields: [String] = []
        // Names that are none, such as `:authority`, are no fields of HTTP/1.1; one with @ would name a file.
        for field in headers where Self.isToken(field.name) {
            if ["content-length", "host"].contains(field.name.lowercased()) { continue }
            let value = Self.line(field.value)
            let isEmpty = value.allSatisfy(\.isWhitespace)
            fields.append(isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // Without a type, curl would call the body a form.
        if hasBody, headers.values(named: "content-type").isEmpty { fields.append("Content-Type:") }
        return fields.flatMap { ["-H", ShellText.quoted($0)] }
    }

    /// Text without what no line of a request can have; a space stands for it (RFC 9110, section 5.5,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private static func line(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { ["\r", "\n", "\0"].contains($0) ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether a text may be a method or a name (RFC 9110, section 5.6.2,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// The body of a request as `curl` takes it.
private struct CurlBody {
    /// The most bytes of an argument; Linux has room for 128 KiB.
    private static let argumentLimit = 100_000

    /// The command that writes the body; `nil` when the options hold it.
    var source: String?

    /// The options.
    var options: [String]

    /// `nil` when the request has no body.
    init?(of request: InterceptedRequest) {
        guard let body = request.body, !body.isEmpty || !["GET", "HEAD"].contains(request.method) else { return nil }
        options = ["--data-binary", "@-"]
        guard !body.contains(0), let text = String(validating: body, as: UTF8.self) else {
            source = ShellText.printing(body)
            return
        }
        if body.count > Self.argumentLimit {
            source = ShellText.printing(text)
        } else {
            options = ["--data-raw", ShellText.quoted(text)]
        }
    }
}

/// Text as a POSIX shell reads it
/// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02).
enum ShellText {
    /// A word in single quotes, in which nothing but a single quote means anything.
    ///
    /// - Parameter word: The word, without the character of code 0, which no argument can have.
    /// - Returns: The text that a shell reads as this word.
    static func quoted(_ word: String) -> String {
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    /// The command that writes bytes of any kind.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: A call of `printf` with letters and digits as they are, and octal numbers for all others.
    static func printing(_ bytes: Data) -> String {
        var format: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                format.append(byte)
            default:
                format += [UInt8(ascii: "\\")] + [byte >> 6, byte >> 3 & 7, byte & 7].map { UInt8(ascii: "0") + $0 }
            }
        }
        return "printf '\(String(decoding: format, as: UTF8.self))'"
    }

    /// The command that writes a text.
    ///
    /// - Parameter text: The text, without the character of code 0.
    /// - Returns: A call of `printf` with the text in quotes.
    static func printing(_ text: String) -> String { "printf '%s' \(quoted(text))" }
}
