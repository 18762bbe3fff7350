import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func replay(_ archive: URL, asking url: URL) async throws -> Data {
    let interceptor = try Interceptor(archive: archive)
    let session = interceptor.session()
    let (data, response) = try await session.data(from: url)
    print(response)
    return data
}

func installedSession(of interceptor: Interceptor) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    interceptor.install(in: configuration)
    let session = URLSession(configuration: configuration)
    return session
}

func loadEverywhere(with interceptor: Interceptor, loadNames: () async throws -> [String]) async throws -> [String] {
    let names = try await interceptor.interceptEverySession {
        try await loadNames()
    }
    return names
}

func loadFromHere(with interceptor: Interceptor, loadNames: () async throws -> [String]) async throws -> [String] {
    let interception = try interceptor.beginInterceptingEverySession()
    defer { interception.end() }
    let names = try await loadNames()
    return names
}

func passingInterceptor(for archive: URL) throws -> Interceptor {
    var configuration = Interceptor.Configuration()
    configuration.unmatchedRequests = .passThrough
    let interceptor = try Interceptor(archive: archive, configuration: configuration)
    return interceptor
}

func layeredInterceptor(of changes: URL, over baseline: URL) throws -> Interceptor {
    var configuration = Interceptor.Configuration()
    configuration.matching = .graphQL
    configuration.matching.required.append(.header("Accept-Language"))
    configuration.matching.repetition = .once
    let interceptor = try Interceptor(archives: [changes, baseline], configuration: configuration)
    return interceptor
}

func ruledInterceptor(_ interceptor: Interceptor, items: [String]) throws {
    interceptor.add(
        .stub("api.example.com/items", try .json(items)),
        .override("api.example.com/user", .jsonMembers(["token": "expired"]), .status(401)))
}

func strictMatching() -> RequestMatching {
    var matching = RequestMatching.standard
    matching.required.append(.header("Accept"))
    matching.repetition = .once
    return matching
}
