import Foundation
import PackagePlugin

/// Runs `har` in the package's folder: `swift package har inspect Tests/Recordings/shop.har`.
@main struct HarPlugin: CommandPlugin {
    /// Runs the tool with the command's arguments and exits with its exit status.
    ///
    /// The package manager gives plugins no standard input, and passes on their output as text. On Linux, the tool
    /// therefore uses the package manager's own streams. Elsewhere, commands that need them are refused.
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        let tool = try context.tool(named: "har").url
        let input = FileHandle(forReadingAtPath: Self.path(ofStream: 0))
        let outputs = Self.outputs
        if arguments.first == "body" || arguments.contains("-"), input == nil || outputs.isEmpty {
            Diagnostics.error(
                "Here, a plugin can neither write the bytes of a body nor use pipes. Run the tool itself: \(tool.path)")
            exit(1)
        }
        if let input { process.standardInput = input }
        if !outputs.isEmpty { (process.standardOutput, process.standardError) = (outputs[0], outputs[1]) }
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }

    /// Returns the path of a standard stream of the package manager, which exists only on Linux.
    private static func path(ofStream number: Int) -> String { "/proc/\(getppid())/fd/\(number)" }

    /// The package manager's standard output and standard error, or none if they cannot be used.
    ///
    /// If both are the same file, the package manager's own messages would overwrite the output of the tool.
    private static var outputs: [FileHandle] {
        let paths = [1, 2].map(path)
        let files = paths.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
        guard let file = files.first else { return [] }
        let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
        if type == .typeRegular, files.last == file { return [] }
        // Appending preserves what was written to a file before.
        let descriptors = paths.map { open($0, O_WRONLY | O_APPEND) }
        return descriptors.contains(-1) ? [] : descriptors.map { FileHandle(fileDescriptor: $0) }
    }
}
