import ArgumentParser
import Foundation
import HTTPArchive

/// `har serve`: runs the separate program `har-serve`.
///
/// The server needs SwiftNIO, which would triple the time of the first build of `har`.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Respond to HTTP requests of any client from archives.",
        usage: "har serve <file> ... [<options>]",
        discussion: """
            Runs the program har-serve, which is in the same folder as har or in a folder of PATH. To build it: \
            \(buildCommand)

            Example: har serve shop.har
            Example: har serve --help
            """)

    private static let program = "har-serve"
    private static let buildCommand = "swift build -c release --traits Server --product har-serve"

    @Argument(parsing: .captureForPassthrough, help: "The archives, and the options of har-serve.")
    var arguments: [String] = []

    func run() throws {
        let files = FileManager.default
        for path in candidates where files.isRegularFile(path) && files.isExecutableFile(atPath: path) {
            // The new program inherits the blocked signals, which this tool receives on a thread.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            var words = ([path] + arguments).map { strdup($0) } + [nil]
            execv(path, &words)
            let reason = String(cString: strerror(errno))
            throw HARError(.unreadableFile, "cannot run \(path.printable): \(reason)")
        }
        throw ValidationError(
            "the program \(Self.program) was found neither next to har nor in PATH; build it with: \(Self.buildCommand)"
        )
    }

    /// The possible paths of the program.
    private var candidates: [String] {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ([own].compactMap { $0 } + folders).map { "\($0)/\(Self.program)" }
    }
}
