import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Performs the requests of a seen-file in order, answered by an archive, and prints what came back.
@main
struct ReplayClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: ReplayClient ARCHIVE SEEN.json\n".utf8))
            exit(2)
        }
        let archive = URL(fileURLWithPath: arguments[1])
        let seen = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
        let requests = try JSONDecoder().decode([Asked].self, from: seen)
        let interceptor = try Interceptor(archive: archive)
        let session = interceptor.session(configuration: .ephemeral)

        var answers: [Answered] = []
        for request in requests {
            answers.append(await Answered(to: request, from: session))
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(answers))
    }
}
