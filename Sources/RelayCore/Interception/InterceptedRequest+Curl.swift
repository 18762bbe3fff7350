import Foundation
import HTTPArchive

extension InterceptedRequest {
    /// Returns a POSIX shell command that sends the request with `curl`.
    ///
    /// The command contains the method, URL, header fields and body of this request. `curl` sets `Content-Length` and
    /// `Host` itself, and adds `User-Agent` and `Accept` if the request does not have them.
    ///
    /// - Parameter maskingSecrets: Whether to replace secrets with `•••`: user and password, credentials, cookies, and
    ///   the values of header fields, query items, form fields and JSON members with secret names. By default, this is
    ///   `true`, so the command is safe to show but cannot authenticate.
    /// - Returns: The command, on a single line unless the request contains line breaks.
    /// - Complexity: O(*n*) in the size of the request.
    public func curlCommand(maskingSecrets: Bool = true) -> String {
        let request = maskingSecrets ? MessageRedaction.standard.request(self) : self
        let body = request.curlBody
        let words =
            request.curlMethod(hasBody: body != nil) + request.curlURL + request.curlFields(hasBody: body != nil)
            + (request.acceptsCompression ? ["--compressed"] : [])
        let command = (["curl"] + words + (body?.options ?? [])).joined(separator: " ")
        return (body?.source.map { "\($0) | " } ?? "") + command
    }

    /// Returns the options for the method; empty if `curl` uses the method by default.
    private func curlMethod(hasBody: Bool) -> [String] {
        let isPlain = !method.isEmpty && method.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        return switch method {
        case hasBody ? "POST" : "GET": []
        case "HEAD" where !hasBody: ["--head"]
        default: ["-X", isPlain ? method : ShellText.quoted(FieldSyntax.singleLine(method))]
        }
    }

    /// The quoted URL, with options that keep `curl` from parsing it as a pattern or an option, and from normalizing
    /// its path.
    private var curlURL: [String] {
        let text = PercentEncoding.encoded(url, keeping: .visible)
        var words: [String] = []
        if text.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
        if LiteralURL(text).path.contains("/.") { words.append("--path-as-is") }
        if text.utf8.first == UInt8(ascii: "-") { words.append("--url") }
        return words + [ShellText.quoted(text)]
    }

    /// Whether the request accepts a content coding.
    ///
    /// `curl` decodes content codings only with the option `--compressed`.
    private var acceptsCompression: Bool {
        headers.values(named: "accept-encoding").contains { value in
            let value = value.lowercased()
            return ["gzip", "deflate", "br", "zstd"].contains { value.contains($0) }
        }
    }

    private func curlFields(hasBody: Bool) -> [String] {
        var fields: [String] = []
        // Omits pseudo-header fields such as `:authority`, and names with a leading `@`, which `curl` would read as
        // file names.
        for field in headers where FieldSyntax.isToken(field.name) {
            if ["content-length", "host"].contains(field.name.lowercased()) { continue }
            let value = FieldSyntax.singleLine(field.value)
            // Compares bytes because a space followed by a combining mark is not a whitespace character.
            let isEmpty = value.utf8.allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
            fields.append(isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // Without this option, `curl` would send the content type of a form.
        if hasBody, headers.values(named: "content-type").isEmpty { fields.append("Content-Type:") }
        return fields.flatMap { ["-H", ShellText.quoted($0)] }
    }
    /// The maximum size of the body in an argument, in bytes.
    ///
    /// Linux limits arguments to 128 KiB.
    private static let curlArgumentLimit = 100_000

    /// The options for the body, and the command that prints the body for `curl` to read, or nil if the options contain
    /// the body.
    ///
    /// The property is nil if the request has no body.
    private var curlBody: (options: [String], source: String?)? {
        // Without data, `curl` sends no `Content-Length: 0`, which some servers require.
        let isEmpty = body == nil && headers.values(named: "content-length") == ["0"]
        guard let body = isEmpty ? Data() : body, !body.isEmpty || !["GET", "HEAD"].contains(method) else { return nil }
        let options = ["--data-binary", "@-"]
        guard !body.contains(0), let text = String(validating: body, as: UTF8.self) else {
            return (options, ShellText.printing(body))
        }
        if body.count > Self.curlArgumentLimit { return (options, ShellText.printing(text)) }
        return (["--data-raw", ShellText.quoted(text)], nil)
    }
}
