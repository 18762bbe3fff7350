import Coverage
import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Replays one request, and writes the coverage of the code that it executes.
///
/// Usage: OneRequest ARCHIVE COUNTERS read|cached|scope
let arguments = CommandLine.arguments
let interceptor = try Interceptor(archive: URL(fileURLWithPath: arguments[1]))

func request(_ path: String, in session: URLSession) async throws {
    guard let url = URL(string: "http://shop.example/\(path)") else { throw URLError(.badURL) }
    let (data, _) = try await session.data(from: url)
    precondition(String(decoding: data, as: UTF8.self) == path, "The response differs from the archive.")
}

/// Sends a first request, so that one-time work is not counted, and then the counted request.
func run(in session: URLSession, first: String) async throws {
    try await request(first, in: session)
    coverage_begin()
    try await request("pears", in: session)
    coverage_end(arguments[2])
}

switch arguments[3] {
case "read": try await run(in: interceptor.session(), first: "apples")
case "cached": try await run(in: interceptor.session(), first: "pears")
default:
    try await interceptor.interceptEverySession {
        try await run(in: URLSession(configuration: .ephemeral), first: "apples")
    }
}
