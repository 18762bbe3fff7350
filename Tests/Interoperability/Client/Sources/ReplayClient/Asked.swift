import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that another client made: one object of a seen-file.
struct Asked: Decodable {
    let method: String
    let url: String
    let headers: [[String]]
    let body: Data?

    /// The same request for `URLSession`, or `nil` where the text is no URL.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for header in headers {
            request.addValue(header[1], forHTTPHeaderField: header[0])
        }
        request.httpBody = body
        return request
    }
}
