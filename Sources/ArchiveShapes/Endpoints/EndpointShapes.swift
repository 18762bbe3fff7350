import Foundation
public import HTTPArchive

/// The shapes of the endpoints of an archive.
///
/// ```swift
/// var endpoints = EndpointShapes()
/// for entry in try HARReader(contentsOf: url) { endpoints.add(entry) }
/// print(String(decoding: endpoints.openAPI.data(layout: .pretty), as: UTF8.self))
/// ```
///
/// Requests with the same method and path belong to one endpoint, if numbers and other identifiers in the path are
/// ignored. Requests of GraphQL and JSON-RPC are distinguished by their operations. The memory does not depend on the number
/// of entries, but on the number of endpoints and of the members of their bodies.
public struct EndpointShapes: Sendable {
    /// The maximum number of endpoints.
    ///
    /// Entries of further endpoints are not described.
    private static let limit = 20_000

    /// The endpoints, in the order of their first entries.
    package private(set) var endpoints: [Endpoint] = []

    /// The number of entries that are not described, because there are too many endpoints.
    public private(set) var omittedCount = 0

    private var indices: [Endpoint.Key: Int] = [:]
    private var entryCount = 0

    /// Creates a value without endpoints.
    public init() {}

    /// Adds an entry.
    ///
    /// Entries without a response, such as failed requests, and entries whose URL is not an HTTP URL are ignored.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - folder: The folder of the archive, for bodies in separate files; nil (the default) ignores these bodies.
    /// - Complexity: O(*n*) in the size of the entry.
    public mutating func add(_ entry: HAR.Entry, in folder: HAR.BodyFolder? = nil) {
        let index = entryCount
        entryCount += 1
        let response = entry.response
        let status = response.status
        guard status > 0, let exchange = EndpointRequest(entry.request, in: folder) else { return }
        guard let position = position(of: exchange.key, entry: index) else { return omittedCount += 1 }
        endpoints[position].add(exchange, of: entry.request)
        endpoints[position].responses[status, default: MessageShape()].add(response, in: folder)
    }

    private mutating func position(of key: Endpoint.Key, entry: Int) -> Int? {
        if let known = indices[key] { return known }
        guard endpoints.count < Self.limit else { return nil }
        endpoints.append(Endpoint(key: key, firstEntry: entry))
        indices[key] = endpoints.count - 1
        return endpoints.count - 1
    }

    /// Returns the endpoint with a key, or nil if no entry belongs to it.
    package func endpoint(_ key: Endpoint.Key) -> Endpoint? { indices[key].map { endpoints[$0] } }
}

/// The parts of a request that determine its endpoint.
package struct EndpointRequest {
    /// The properties that distinguish endpoints.
    package let key: Endpoint.Key

    /// The body, or nil if the request has none or it is unknown.
    let body: ShapedBody?

    /// The normalized URL.
    let url: NormalizedURL

    /// Reads a request, or returns nil if its URL is not an HTTP URL.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - folder: The folder of the archive, for bodies in separate files, or nil to ignore these bodies.
    package init?(_ request: HAR.Request, in folder: HAR.BodyFolder?) {
        url = NormalizedURL(request.url)
        guard url.isHTTP else { return nil }
        let method = request.method.uppercased()
        if method == "GET" || method == "HEAD" {
            body = nil
        } else {
            let data = folder.flatMap { try? request.bodyData(in: $0) } ?? request.body.data
            body = data.map { ShapedBody($0, type: request.bodyType) }
        }
        let members = body?.value.flatMap { $0.kind == .object ? $0 : nil }
        let operation = members?["operationName"]?.text ?? members?["method"]?.text
        key = Endpoint.Key(
            method: method, origin: url.origin, path: PathTemplate.template(url.path[...]), operation: operation)
    }
}

extension Endpoint {
    fileprivate mutating func add(_ recorded: EndpointRequest, of request: HAR.Request) {
        count += 1
        for item in recorded.url.queryItems {
            let part = FormEncoding.literalParts(of: item)
            let name = PercentEncoding.decoded(part.name.utf8, plusIsSpace: true)
            let value = PercentEncoding.decoded(part.value.utf8, plusIsSpace: true)
            if query[name] == nil, query.count >= 200 { continue }
            query[name, default: Parameter()].count += 1
            query[name]?.shape.add(.string(JSONString(value)))
        }
        if let content = recorded.body, content.kind != .empty { body.add(content, type: request.bodyType) }
    }
}

extension MessageShape {
    /// Adds a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - folder: The folder of the archive, for bodies in separate files, or nil to ignore these bodies.
    package mutating func add(_ response: HAR.Response, in folder: HAR.BodyFolder?) {
        let type = response.mediaType
        add(Self.body(of: response, type: type, in: folder), type: type)
        for (name, value) in ResponseFields.fields(of: response) {
            if fields.count >= 200, fields[name] == nil { continue }
            fields[name, default: Field()].add(value, ofMessage: count)
        }
    }

    /// Returns the body of a response, or nil if it is unknown.
    private static func body(of response: HAR.Response, type: MediaType?, in folder: HAR.BodyFolder?) -> ShapedBody? {
        guard let body = try? recordedBody(of: response, type: type, in: folder) else { return nil }
        // A truncated or redacted body of a JSON type has no known shape.
        let isJSON = type?.essence.hasSuffix("json") ?? false
        return isJSON && body.kind != .json && body.kind != .empty ? nil : body
    }

    private static func recordedBody(
        of response: HAR.Response, type: MediaType?, in folder: HAR.BodyFolder?
    ) throws(HARError) -> ShapedBody? {
        let content = response.content
        // Most bodies are text, which need not be converted to the original bytes, or not JSON, so their start suffices.
        if let start = content.fields.textStart("text"), !start.isEmpty, response.undeclaredBody == nil {
            let encoding = content.encoding?.lowercased() ?? ""
            if encoding == "base64", let bytes = Base64.decode(String(decoding: start.prefix(64), as: UTF8.self)),
                !ShapedBody.mayBeJSON(bytes, type: type)
            {
                return ShapedBody(start: [UInt8](bytes), type: type)
            } else if encoding.isEmpty {
                guard ShapedBody.mayBeJSON(start, type: type) else { return ShapedBody(start: start, type: type) }
                return content.fields.textBytes("text").map { ShapedBody($0, type: type) }
            }
        }
        let body = try folder.map { folder throws(HARError) in try response.interpretedBody(in: folder) }
        return (body ?? response.interpretedBody).map { ShapedBody($0.bytes, type: type) }
    }
}
