import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HAR.Entry {
    /// The request as it was recorded.
    ///
    /// A 304 answers only clients that have a copy. Where the capture lacks the field that said so, it is made up: `*`,
    /// any copy, which no other entry has.
    ///
    /// - Parameter folder: Where bodies in files of their own are.
    /// - Returns: `nil` when the URL is none.
    /// - Throws: `unreadableFile` when such a file is missing.
    func urlRequest(folder: HAR.BodyFolder) throws(HARError) -> URLRequest? {
        guard let url = URL(text: request.url) else { return nil }
        var result = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        result.httpMethod = request.method
        for header in request.headers where !header.name.isEmpty && !header.name.hasPrefix(":") {
            result.addValue(header.value, forHTTPHeaderField: header.name)
        }
        if response.status == 304, request.header("if-none-match") == nil, request.header("if-modified-since") == nil {
            result.setValue("*", forHTTPHeaderField: "If-None-Match")
        }
        if let body = try request.bodyData(in: folder), !body.isEmpty { result.httpBody = body }
        return result
    }
}
