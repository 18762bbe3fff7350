import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client for a console: a program on the same machine that intercepts requests and displays network traffic.
struct Console: Sendable {
    /// A pattern for requests that the console intercepts.
    ///
    /// The console itself applies an intercept's delay.
    struct Intercept: Decodable, Sendable {
        let id: String
        let method: String
        let matchURL: String
    }

    /// A request that was sent to the network, and its response.
    struct Report: Encodable, Sendable {
        var statusCode: Int
        var method: String
        var url: String
        var reqHeaders: [String: String]
        var reqBody: Data?
        var resBody: Data?
        var resHeaders: [String: String]?
        var wasIntercepted = false
    }

    private let connection: ConsoleConnection

    /// The connection for responses.
    ///
    /// It has a longer time limit, because the console can delay responses deliberately.
    private let patientConnection: ConsoleConnection

    /// Creates a client for a console.
    ///
    /// - Parameters:
    ///   - port: The port of the console on this machine.
    ///   - timeLimit: The time limit for fetching the intercepts and for each report; 5 seconds by default. The limit
    ///     for a response is twelve times as long.
    init(port: Int, timeLimit: Duration = .seconds(5)) {
        connection = ConsoleConnection(port: port, timeLimit: timeLimit)
        patientConnection = ConsoleConnection(port: port, timeLimit: timeLimit * 12)
    }

    /// Returns the patterns for requests that the console intercepts.
    func intercepts() async throws -> [Intercept] {
        let (data, response) = try await connection.response(to: "GET", "/intercept")
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode([Intercept].self, from: data)
    }

    /// Returns the console's response to a request that it intercepts.
    func response(of intercept: Intercept) async throws -> ResponseStrategy {
        let id = PercentEncoding.encoded(intercept.id, keeping: .alphanumerics)
        let (data, response) = try await patientConnection.response(to: "GET", "/intercept/\(id)/response")
        return .redirected(data: data, response: response, error: nil)
    }

    /// Sends the console a report about a request.
    func send(_ report: Report) async throws {
        _ = try await connection.response(to: "POST", "/request", body: try JSONEncoder().encode(report))
    }
}
