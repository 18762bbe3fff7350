import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A program on the same machine that says what is intercepted, and shows what goes to the network.
struct Console: Sendable {
    /// A request that it answers; the delay is the console's own affair.
    struct Intercept: Decodable, Sendable {
        let id: String
        let method: String
        let matchURL: String
    }

    /// A request that went to the network, and what came back.
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

    /// The connection for responses, which the console may delay on purpose.
    private let patientConnection: ConsoleConnection

    /// Creates a client of a console.
    ///
    /// - Parameters:
    ///   - port: The port of the console on this machine.
    ///   - timeLimit: The time that the console has for its intercepts and for each report; 5 seconds by default. For a
    ///     response it has twelve times as long.
    init(port: Int, timeLimit: Duration = .seconds(5)) {
        connection = ConsoleConnection(port: port, timeLimit: timeLimit)
        patientConnection = ConsoleConnection(port: port, timeLimit: timeLimit * 12)
    }

    /// Returns the requests that the console intercepts.
    func intercepts() async throws -> [Intercept] {
        let (data, response) = try await connection.response(to: "GET", "/intercept")
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode([Intercept].self, from: data)
    }

    /// Returns the console's response to a request that it intercepts.
    func response(of intercept: Intercept) async throws -> ResponseStrategy {
        let id = intercept.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? intercept.id
        let (data, response) = try await patientConnection.response(to: "GET", "/intercept/\(id)/response")
        return .redirected(data: data, response: response, error: nil)
    }

    /// Tells it of a request.
    func send(_ report: Report) async throws {
        _ = try await connection.response(to: "POST", "/request", body: try JSONEncoder().encode(report))
    }
}
