import ArgumentParser
import Foundation
import HTTPArchive

/// `har serve`: runs the separate program `har-serve`.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Respond to HTTP requests of any client from archives.",
        usage: "har serve <file> ... [<options>]",
        discussion: """
            \(ServerProgram.note)

            Example: har serve shop.har
            Example: har serve --help
            """)

    @Argument(parsing: .captureForPassthrough, help: "The archives, and the options of har-serve.")
    var arguments: [String] = []

    func run() throws { try ServerProgram.run(arguments) }
}

/// `har proxy`: runs the separate program `har-serve`.
struct ProxyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Forward the requests of any client, and record them.",
        usage: "har proxy <output> [<options>] [-- <command> ...]",
        discussion: """
            \(ServerProgram.note)

            Example: har proxy shop.har -- python3 client.py
            Example: har proxy --help
            """)

    @Argument(parsing: .captureForPassthrough, help: "The archive, the options of har-serve proxy, and a command.")
    var arguments: [String] = []

    func run() throws { try ServerProgram.run(["proxy"] + arguments) }
}

/// `har view`: runs the separate program `har-serve`.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Show archives in a browser.",
        usage: "har view <file> ... [<options>]",
        discussion: """
            \(ServerProgram.note)

            Example: har view shop.har
            Example: har view --help
            """)

    @Argument(parsing: .captureForPassthrough, help: "The archives, and the options of har-serve view.")
    var arguments: [String] = []

    func run() throws { try ServerProgram.run(["view"] + arguments) }
}

/// The program `har-serve`.
///
/// It needs SwiftNIO, which would triple the time of the first build of `har`.
private enum ServerProgram {
    static let note =
        "Runs the program har-serve, which is in the same folder as har or in a folder of PATH. To build it: "
        + buildCommand

    private static let program = "har-serve"
    private static let buildCommand = "swift build -c release --traits Server --product har-serve"

    /// Replaces this process with the program.
    static func run(_ arguments: [String]) throws {
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
            "the program \(program) was found neither next to har nor in PATH; build it with: \(buildCommand)")
    }

    /// The possible paths of the program.
    private static var candidates: [String] {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ([own].compactMap { $0 } + folders).map { "\($0)/\(program)" }
    }
}
