import Foundation
import HTTPArchive
import RelayCore

/// An exporter for Swift code that defines rules for a Relay interceptor.
///
/// Each combination of method, URL and body becomes one rule, which returns the recorded responses in order.
package struct SwiftExporter: ArchiveExporter {
    /// The requests that a rule matches.
    private struct Key: Hashable {
        let method: String
        let url: String

        /// The body, or `nil` if it is not compared.
        let body: Data?
    }

    private var keys: [Key] = []
    private var responses: [Key: [Int]] = [:]

    package init() {}

    package func beginning(title: String) -> String {
        let words = title.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let typeName = (name.first?.isLetter == true ? name : "Recorded" + name) + "Stubs"
        return """
            // swift-format-ignore-file

            import Foundation
            import Relay

            /// Rules that return the responses of an archive.
            enum \(typeName) {

            """
    }

    package mutating func text(of exported: ExportedEntry) -> String? {
        guard exported.unsupportedReason == nil, let body = exported.requestBody else { return nil }
        let request = exported.entry.request
        // Reading the response body reports that its file cannot be read.
        if exported.entry.response.content["_file"] != nil, exported.responseBody == nil { return nil }
        let live = InterceptedRequest(method: request.method, url: request.url)
        let reply = try? Reply(of: exported.entry, to: live, in: exported.folder, allowsMissingBody: false)
        guard let response = reply.flatMap(Self.code) else { return nil }
        // A multipart body has a new boundary each time it is created.
        let isMultipart = request.header("content-type")?.lowercased().hasPrefix("multipart/") ?? false
        let key = Key(
            method: request.method, url: request.url,
            body: body.isEmpty || isMultipart ? nil : body)
        if responses[key] == nil { keys.append(key) }
        responses[key, default: []].append(exported.index)
        return "    private static var response\(exported.index): Reply {\n\(response)    }\n\n"
    }

    package var end: String {
        let rules = keys.reversed().map(rule).joined()
        return """
                /// The rules; later rules take precedence.
                static var rules: [Rule] {
                    var rules: [Rule] = []
            \(rules)        return rules
                }
            }

            """
    }

    /// Returns the code for one entry, as `har export` writes it, or nil if the entry cannot be replayed.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - title: The name of the archive, without its extension.
    /// - Returns: A Swift file.
    package static func file(of entry: ExportedEntry, title: String) -> String? {
        var exporter = Self()
        return exporter.text(of: entry).map { exporter.beginning(title: title) + $0 + exporter.end }
    }

    private func rule(_ key: Key) -> String {
        let names = (responses[key] ?? []).map { "response\($0)" }
        let url = ".exactly(\(Self.literal(key.url)))"
        let method = Self.literal(key.method)
        let pattern =
            key.body.map { body in
                "RequestPattern\(url)\n                    .and(.where { $0.method == \(method) && $0.body == \(Self.code(body)) })"
            } ?? "RequestPattern.method(\(method)).and(\(url))"
        let responses = names.count == 1 ? names[0] : "inOrder: " + names.joined(separator: ", ")
        return
            "        rules.append(\n            .stub(\n                \(pattern),\n                \(responses)))\n"
    }

    // MARK: Responses

    private static func code(_ reply: Reply) -> String? {
        guard case .success(let response) = reply.result else {
            return reply.recordedFailure.map { "        .failure(.\($0.code.swiftName))\n" }
        }
        guard reply.recordedFailure != nil else { return "        .response(\n            \(code(response)))\n" }
        return "        Reply(\n            .success(\n                \(code(response))),\n"
            + "            cutOff: \(response.body.count))\n"
    }

    private static func code(_ response: InterceptedResponse) -> String {
        var arguments = ["url: \(literal(response.url))", "status: \(response.status)"]
        if !response.statusText.isEmpty { arguments.append("statusText: \(literal(response.statusText))") }
        if response.httpVersion != "HTTP/1.1" { arguments.append("httpVersion: \(literal(response.httpVersion))") }
        if !response.headers.isEmpty {
            let fields = response.headers.map {
                "                    HeaderField(name: \(literal($0.name)), value: \(literal($0.value))),\n"
            }
            arguments.append("headers: [\n\(fields.joined())                ]")
        }
        if !response.body.isEmpty { arguments.append("body: " + code(response.body)) }
        return "InterceptedResponse(\n                \(arguments.joined(separator: ",\n                ")))"
    }

    private static func code(_ body: Data) -> String {
        String(validating: body, as: UTF8.self).map { "Data(\(literal($0)).utf8)" }
            ?? "Data(base64Encoded: \(literal(body.base64EncodedString()))) ?? Data()"
    }

    /// Returns text as a string literal on one line.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    literal += "\\u{\(String(scalar.value, radix: 16))}"
                default: literal.unicodeScalars.append(scalar)
                }
            }
        }
        return literal + "\""
    }
}

extension URLError.Code {
    /// The name of the code in Swift, or `unknown` for a code without a name.
    var swiftName: String { Self.names[self] ?? "unknown" }

    private static let names: [URLError.Code: String] = [
        .appTransportSecurityRequiresSecureConnection: "appTransportSecurityRequiresSecureConnection",
        .backgroundSessionInUseByAnotherProcess: "backgroundSessionInUseByAnotherProcess",
        .backgroundSessionWasDisconnected: "backgroundSessionWasDisconnected", .badServerResponse: "badServerResponse",
        .badURL: "badURL", .callIsActive: "callIsActive", .cancelled: "cancelled",
        .cannotCloseFile: "cannotCloseFile", .cannotConnectToHost: "cannotConnectToHost",
        .cannotCreateFile: "cannotCreateFile", .cannotDecodeContentData: "cannotDecodeContentData",
        .cannotDecodeRawData: "cannotDecodeRawData", .cannotFindHost: "cannotFindHost",
        .cannotLoadFromNetwork: "cannotLoadFromNetwork", .cannotMoveFile: "cannotMoveFile",
        .cannotOpenFile: "cannotOpenFile", .cannotParseResponse: "cannotParseResponse",
        .cannotRemoveFile: "cannotRemoveFile", .cannotWriteToFile: "cannotWriteToFile",
        .clientCertificateRejected: "clientCertificateRejected",
        .clientCertificateRequired: "clientCertificateRequired",
        .dataLengthExceedsMaximum: "dataLengthExceedsMaximum", .dataNotAllowed: "dataNotAllowed",
        .dnsLookupFailed: "dnsLookupFailed", .fileDoesNotExist: "fileDoesNotExist",
        .fileIsDirectory: "fileIsDirectory", .httpTooManyRedirects: "httpTooManyRedirects",
        .internationalRoamingOff: "internationalRoamingOff", .networkConnectionLost: "networkConnectionLost",
        .noPermissionsToReadFile: "noPermissionsToReadFile", .notConnectedToInternet: "notConnectedToInternet",
        .redirectToNonExistentLocation: "redirectToNonExistentLocation",
        .requestBodyStreamExhausted: "requestBodyStreamExhausted", .resourceUnavailable: "resourceUnavailable",
        .secureConnectionFailed: "secureConnectionFailed",
        .serverCertificateHasBadDate: "serverCertificateHasBadDate",
        .serverCertificateHasUnknownRoot: "serverCertificateHasUnknownRoot",
        .serverCertificateNotYetValid: "serverCertificateNotYetValid",
        .serverCertificateUntrusted: "serverCertificateUntrusted", .timedOut: "timedOut",
        .unsupportedURL: "unsupportedURL", .userAuthenticationRequired: "userAuthenticationRequired",
        .userCancelledAuthentication: "userCancelledAuthentication", .zeroByteResource: "zeroByteResource",
    ]
}
