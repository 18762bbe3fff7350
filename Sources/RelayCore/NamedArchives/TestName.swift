package import Foundation
import HTTPArchive

/// Archive names derived from the names of tests.
package enum TestName {
    /// Returns an archive name with a folder for each type that contains the test.
    ///
    /// - Parameter parts: The names of the types and the test in Swift syntax.
    /// - Returns: The names, separated by slashes, without backticks or parameters. Characters other than letters,
    ///   digits and `_` are replaced with `-`.
    package static func archiveName(of parts: [String]) -> String {
        parts.map { part in
            // A raw identifier can contain parentheses. Parameters follow its closing backtick.
            let plain: Substring
            if part.hasPrefix("`"), let end = part.dropFirst().firstIndex(of: "`") {
                plain = part[..<end].dropFirst()
            } else {
                plain = part.prefix { $0 != "(" }
            }
            return plain.split { !($0.isLetter || $0.isNumber || $0 == "_") }.joined(separator: "-")
        }
        .filter { !$0.isEmpty }
        .joined(separator: "/")
    }
}

/// The resources of the tests in this process.
package enum TestResources {
    /// Returns the folders that can contain resources of the tests.
    ///
    /// - Parameter bundle: The bundle that contains the resources. If it is nil, the result contains the first
    ///   `.xctest` bundle or, if no such bundle is loaded, the folder of the test executable. Nested bundles, which the
    ///   package manager creates for the resources of each target, are also included.
    /// - Returns: The folders, at least one.
    package static func folders(in bundle: Bundle?) -> [URL] {
        if let bundle { return [folder(of: bundle)] }
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        let inside = try? FileManager.default.contentsOfDirectory(
            at: folder(of: tests), includingPropertiesForKeys: nil)
        let bundles = (inside ?? []).filter { ["bundle", "resources"].contains($0.pathExtension) }
        return [folder(of: tests)] + bundles.sorted { $0.path < $1.path }.map { Bundle(url: $0).map(folder) ?? $0 }
    }

    private static func folder(of bundle: Bundle) -> URL { bundle.resourceURL ?? bundle.bundleURL }
}

/// The shell command that runs one test in a recording mode.
package enum RecordingCommand {
    /// Returns the command.
    ///
    /// - Parameters:
    ///   - module: The name of the test target.
    ///   - names: The names of the types that contain the test, and the name of the test, with or without parameters.
    /// - Returns: The command, quoted for a shell.
    package static func text(module: String, names: [String]) -> String {
        let path = names.map { name -> String in
            // The parameters of a function are not part of the filter, but any parentheses in a raw identifier are.
            guard name.hasPrefix("`"), let end = name.lastIndex(of: "`") else {
                return String(name.prefix { $0 != "(" })
            }
            return String(name[...end])
        }
        let pattern = [module] + [path.joined(separator: "/")]
        let filter = pattern.map(escaped).joined(separator: ".")
        return "\(ReplayMode.variable)=new swift test --filter \(ShellText.quoted(filter))"
    }

    /// Returns a regular expression that matches a string literally.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]{}".contains(character) { result += "\\" }
            result.append(character)
        }
    }
}
