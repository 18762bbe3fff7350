import Foundation
import HTTPArchive
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An archive whose recorded requests are made once each, in random order.
struct SearchedArchive {
    /// A request and its session.
    struct Question {
        let session: URLSession
        let request: URLRequest

        func ask() async throws { _ = try await session.data(for: request) }
    }

    private let archive: HARArchive
    private let configuration: Interceptor.Configuration
    private var generator = SeededGenerator(state: 4)
    private var session = URLSession.plain
    private var unasked: [Int] = []

    /// Opens an archive.
    init(_ url: URL, matching: RequestMatching) throws {
        archive = try HARArchive(contentsOf: url)
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        self.configuration = configuration
    }

    /// The number of entries.
    var count: Int { archive.count }

    /// Starts over with a new interceptor.
    mutating func renew() throws {
        session = try Interceptor(archive: archive.url, configuration: configuration).session()
        unasked = (0..<archive.count).shuffled(using: &generator)
    }

    /// Ends the session, which otherwise retains its interceptor.
    func close() { session.invalidateAndCancel() }

    /// Returns requests that have not been made yet.
    ///
    /// After the last request, starts over with a new interceptor.
    mutating func next(_ count: Int) async throws -> [Question] {
        var questions: [Question] = []
        while questions.count < count {
            if unasked.isEmpty {
                try renew()
                // Send one request first, so that URLSession's own setup is not measured.
                try? await miss(path: "/first")?.ask()
            }
            let entry = try archive.entry(at: unasked.removeLast())
            if let request = URLRequest(recorded: entry.request) {
                questions.append(Question(session: session, request: request))
            }
        }
        return questions
    }

    /// Returns a request that matches no entry.
    func miss(path: String) -> Question? {
        URL(string: "https://api.shop.example/v2\(path)").map {
            Question(session: session, request: URLRequest(url: $0))
        }
    }
}

extension URLRequest {
    /// Creates a request from a recorded request.
    init?(recorded request: HAR.Request) {
        guard let url = URL(string: request.url) else { return nil }
        self.init(url: url)
        httpMethod = request.method
        httpBody = request.body.data
        for header in request.headers where !header.name.hasPrefix(":") {
            setValue(header.value, forHTTPHeaderField: header.name)
        }
    }
}
