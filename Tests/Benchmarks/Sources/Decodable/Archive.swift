/// HAR 1.2 as `Codable` structs, for a comparison with `JSONDecoder`.
struct Archive: Decodable {
    struct Log: Decodable {
        let version: String?
        let entries: [Entry]
    }

    struct Entry: Decodable {
        let pageref: String?
        let startedDateTime: String
        let time: Double?
        let request: Request
        let response: Response
        let cache: Cache
        let timings: Timings
        let serverIPAddress: String?
        let connection: String?
    }

    struct Request: Decodable {
        let method: String
        let url: String
        let httpVersion: String
        let cookies: [Cookie]
        let headers: [Pair]
        let queryString: [Pair]
        let postData: PostData?
        let headersSize: Int
        let bodySize: Int
    }

    struct Response: Decodable {
        let status: Int
        let statusText: String
        let httpVersion: String
        let cookies: [Cookie]
        let headers: [Pair]
        let content: Content
        let redirectURL: String
        let headersSize: Int
        let bodySize: Int
    }

    struct Pair: Decodable {
        let name: String
        let value: String
    }

    struct Cookie: Decodable {
        let name: String
        let value: String
        let path: String?
        let domain: String?
        let expires: String?
        let httpOnly: Bool?
        let secure: Bool?
    }

    struct PostData: Decodable {
        let mimeType: String
        let text: String?
        let params: [Parameter]?
    }

    struct Parameter: Decodable {
        let name: String
        let value: String?
        let fileName: String?
        let contentType: String?
    }

    struct Content: Decodable {
        let size: Int
        let compression: Int?
        let mimeType: String
        let text: String?
        let encoding: String?
    }

    struct Cache: Decodable {
        let beforeRequest: CacheState?
        let afterRequest: CacheState?
    }

    struct CacheState: Decodable {
        let expires: String?
        let lastAccess: String
        let eTag: String
        let hitCount: Int
    }

    struct Timings: Decodable {
        let blocked: Double?
        let dns: Double?
        let connect: Double?
        let send: Double?
        let wait: Double?
        let receive: Double?
        let ssl: Double?
    }

    let log: Log
}
