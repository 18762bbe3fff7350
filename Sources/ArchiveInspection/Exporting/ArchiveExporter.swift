package import Foundation
package import HTTPArchive
package import RelayCore

/// A type that converts entries to the format of another tool.
package protocol ArchiveExporter: Sendable {
    /// Creates an exporter.
    init()

    /// Returns the text before the first entry; empty by default.
    ///
    /// - Parameter title: The name of the archive, without its extension.
    /// - Returns: The text.
    func beginning(title: String) -> String

    /// Returns the text of the next entry, or nil if the format cannot represent it.
    mutating func text(of entry: ExportedEntry) throws(HARError) -> String?

    /// Returns the text to write for an entry that the format cannot represent; nil by default.
    func note(onSkipping entry: ExportedEntry) -> String?

    /// The text after the last entry; empty by default.
    var end: String { get }

    /// The parts of entries that the format cannot represent; WebSocket messages by default.
    static var losses: [ExportLoss] { get }
}

extension ArchiveExporter {
    package func beginning(title: String) -> String { "" }
    package func note(onSkipping entry: ExportedEntry) -> String? { nil }
    package var end: String { "" }
    package static var losses: [ExportLoss] { [.messages] }
}

/// A part of entries that some formats cannot represent.
package enum ExportLoss: CaseIterable {
    case messages

    /// Several header fields with the same name in a message.
    case repeatedFields

    /// Returns the number of these parts in an entry.
    package func count(in entry: HAR.Entry) -> Int {
        switch self {
        case .messages: return entry.webSocketMessages.count
        case .repeatedFields:
            return [entry.request.headers, entry.response.headers].reduce(0) { count, headers in
                let names = headers.lazy.map { $0.name.lowercased() }.filter { !$0.hasPrefix(":") }
                return count + names.count - Set(names).count
            }
        }
    }
}

/// An entry to export, with its index.
package struct ExportedEntry {
    package let entry: HAR.Entry

    /// The index of the entry in the archive.
    package let index: Int

    /// The folder with the archive's body files.
    package let folder: HAR.BodyFolder

    /// Creates an entry to export.
    package init(entry: HAR.Entry, index: Int, folder: HAR.BodyFolder) {
        self.entry = entry
        self.index = index
        self.folder = folder
    }

    /// The request body, or `nil` if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Complexity: O(*n*) in the size of the body, which is read each time.
    package var requestBody: Data? { entry.request.availableBody(in: folder, ofEntry: index) }

    /// The response body, or `nil` if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Complexity: O(*n*) in the size of the body, which is read each time.
    package var responseBody: Data? { entry.response.availableBody(in: folder, ofEntry: index) }

    /// The header fields of the request, with fields for a media type and cookies that were recorded only elsewhere in
    /// the request.
    package var requestHeaders: [HAR.Header] {
        let request = entry.request
        var headers = request.headers
        if request.header("content-type") == nil, let type = request.postData?.mimeType, MediaType(type) != nil {
            headers.append(HAR.Header(name: "Content-Type", value: type))
        }
        if request.header("cookie") == nil, !request.cookies.isEmpty {
            let pairs = request.cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
            headers.append(HAR.Header(name: "Cookie", value: pairs.joined(separator: "; ")))
        }
        return headers
    }

    /// Returns the request for sending it with a body, which is nil if it has none.
    package func intercepted(body: Data?) -> InterceptedRequest {
        InterceptedRequest(
            method: entry.request.method, url: entry.request.url,
            headers: requestHeaders.map { HeaderField(name: $0.name, value: $0.value) },
            body: body?.isEmpty == true ? nil : body)
    }

    /// The header fields of the response, with a field for a media type that was recorded only in the content.
    package var responseHeaders: [HAR.Header] {
        let response = entry.response
        guard response.header("content-type") == nil, MediaType(response.content.mimeType) != nil else {
            return response.headers
        }
        return response.headers + [HAR.Header(name: "Content-Type", value: response.content.mimeType)]
    }

    /// The reason why URLSession cannot send the request, or `nil` if it can.
    package var unsupportedReason: String? { entry.request.unsupportedReason }
}

extension [HAR.Header] {
    /// Returns header fields with one value per name, in the order in which each name first occurs, and without HTTP/2
    /// pseudo-header fields, for formats that do not allow repeated names.
    ///
    /// - Parameters:
    ///   - key: A function that returns the same key for equivalent names.
    ///   - separator: A function that returns the text to insert between the values of a name; a comma by default.
    /// - Returns: The names and values.
    /// - Complexity: O(*n*), where *n* is the total size of the fields.
    package func merged(
        by key: (String) -> String, separator: (String) -> String = { _ in ", " }
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var indexes: [String: Int] = [:]
        for header in self where !header.name.hasPrefix(":") {
            let name = header.name
            if let index = indexes[key(name)] {
                fields[index].value += separator(name)
                fields[index].value += header.value
            } else {
                indexes[key(name)] = fields.count
                fields.append((name, header.value))
            }
        }
        return fields
    }
}
