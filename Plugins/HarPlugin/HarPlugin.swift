import Foundation
import PackagePlugin

/// Runs `har` in the package's folder: `swift package har inspect Tests/Recordings/shop.har`.
@main struct HarPlugin: CommandPlugin {
    /// Runs the tool with the command's arguments and exits with its exit status.
    ///
    /// The package manager passes on only text, and no standard input, so commands that need more are refused.
    func performCommand(context: PluginContext, arguments: [String]) throws {
        if arguments.first == "body" || arguments.contains("-") {
            let tool = try context.tool(named: "har").url.path
            Diagnostics.error(
                "A plugin can neither write the bytes of a body nor use pipes. Run the tool itself: \(tool)")
            exit(1)
        }
        let process = Process()
        process.executableURL = try context.tool(named: "har").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}
