import Foundation
package import HTTPArchive

/// Mocks of ResonanceKit: `Mocks/Api/People.json` has the answers for the path `api/people`.
package enum ResonanceKitMocks: RecordingFormat {
    package static let name = "resonancekit"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let mock = file.value?[0] else { return false }
        return mock["response"] != nil && mock["status"] != nil && mock["method"] != nil
    }

    /// The mocks, the last of the file first, since the later ones win.
    ///
    /// The parameters are the query of a GET or HEAD, and a JSON body otherwise; they stand in the request's field
    /// `_parameters` too, as the file has them. Paths are in lower case, as they are compared without regard to it. The
    /// answers have no header fields.
    ///
    /// - Parameter file: The file, whose path below the folder `Mocks`, or else below the folder where it was found, is
    ///   that of the requests.
    /// - Returns: An entry for each mock.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place; that of the field that is missing or wrong.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let base = file.baseURL.hasSuffix("/") ? String(file.baseURL.dropLast()) : file.baseURL
        let url = base + "/" + path(of: file).lowercased()
        var entries: [HAR.Entry] = []
        for mock in try file.content().elements() {
            let method = try mock.required("method").text().uppercased()
            let parameters = try mock.required("request")
            var exchange = RecordedExchange(
                start: file.date, url: url, status: try mock.required("status").status())
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

    /// The path of the requests, without a slash in front, as the folder spells it.
    ///
    /// - Parameter file: The file.
    /// - Returns: The names of the folders below `Mocks` and of the file, without its extension.
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
        var items: [String] = []
        for (name, value) in members { items.append(name.urlEncoded + "=" + (try value.scalarText()).urlEncoded) }
        return items.joined(separator: "&")
    }
}
