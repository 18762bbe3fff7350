import Foundation
package import HTTPArchive

/// Mocks of ResonanceKit.
///
/// The file `Mocks/Api/People.json` contains the responses for the path `api/people`.
package enum ResonanceKitMocks: RecordingFormat {
    package static let name = "resonancekit"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let mock = file.value?[0] else { return false }
        return mock["response"] != nil && mock["status"] != nil && mock["method"] != nil
    }

    /// Returns the mocks in reverse order, because later mocks take precedence.
    ///
    /// The parameters become the query of a GET or HEAD request, or the JSON body of any other request. The request's
    /// field `_parameters` contains the original parameters. Paths are converted to lowercase, because ResonanceKit
    /// ignores case. Responses have no header fields. A status that is not an integer becomes 200, as in ResonanceKit.
    ///
    /// - Parameter file: The file. The path of the requests is the file's path relative to the folder `Mocks` or,
    ///   without this folder, to the searched folder.
    /// - Returns: An entry for each mock.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location of the missing or invalid field.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        guard file.url != RecordingFile.standardInput else {
            throw HARError(
                .malformedRecording,
                "The name of a file of ResonanceKit is the path of its requests. Import the file by its name.",
                at: .init(file: file.name))
        }
        let base = file.baseURL.hasSuffix("/") ? String(file.baseURL.dropLast()) : file.baseURL
        let url = base + "/" + path(of: file).lowercased()
        var entries: [HAR.Entry] = []
        for mock in try file.content().elements() {
            let method = try mock.required("method").text().uppercased()
            let parameters = try mock.required("request")
            let status = try mock.required("status")
            var exchange = RecordedExchange(
                start: file.date, url: url, status: status.value.int == nil ? 200 : try status.status())
            exchange.method = method
            let members = try parameters.members()
            if !members.isEmpty, method == "GET" || method == "HEAD" {
                exchange.url += "?" + (try query(members))
            } else if !members.isEmpty {
                exchange.requestHeaders = [HAR.Header(name: "Content-Type", value: "application/json")]
                exchange.requestBody = parameters.value.data()
            }
            exchange.requestFields = [.init(name: "_parameters", value: parameters.value)]
            exchange.responseBody = try mock.required("response").value.data()
            exchange.responseType = "application/json"
            exchange.entryFields = mock.rest(besides: ["request", "response", "status", "method"])
            entries.append(exchange.entry)
        }
        return entries.reversed()
    }

    /// Returns the path of the requests without a leading slash.
    ///
    /// It preserves the case of the file names.
    ///
    /// - Parameter file: The file.
    /// - Returns: The path of the file relative to the folder `Mocks`, without its extension.
    package static func path(of file: RecordingFile) -> String {
        let parts = file.url.deletingPathExtension().standardizedFileURL.pathComponents
        if let mocks = parts.dropLast().lastIndex(where: { $0.lowercased() == "mocks" }) {
            return parts[(mocks + 1)...].joined(separator: "/")
        }
        let folder = file.folder?.standardizedFileURL.pathComponents ?? []
        return (parts.starts(with: folder) && !folder.isEmpty ? parts.dropFirst(folder.count) : parts.suffix(1))
            .joined(separator: "/")
    }

    private static func query(_ members: [(name: String, value: RecordedValue)]) throws(HARError) -> String {
        var items: [FormEncoding.Item] = []
        for (name, value) in members { items.append((name, try value.scalarText())) }
        return FormEncoding.query(items)
    }
}
