import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Performs the requests of a seen-file in order and prints the results.
@main
struct ReplayClient {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let last = arguments.last, let source = try AnswerSource(arguments.dropLast()) else {
            FileHandle.standardError.write(Data("usage: ReplayClient \(AnswerSource.usage) REQUESTS.json\n".utf8))
            exit(2)
        }
        let requests = try JSONDecoder().decode([Asked].self, from: Data(contentsOf: URL(fileURLWithPath: last)))
        let session = source.session()
        var answers: [Answered] = []
        for request in requests {
            answers.append(await Answered(to: request, from: session, isLive: source.isLive))
        }
        try await source.finish()
        FileHandle.standardOutput.write(try JSONEncoder().encode(answers))
    }
}
