package import Foundation

/// The name that an archive has by the test that plays it.
package enum TestName {
    /// A folder for each type around a test, and the test's own name.
    ///
    /// - Parameter parts: The names, as Swift writes them.
    /// - Returns: The names without backticks and parameters, and with `-` in place of what is no letter, digit or `_`.
    package static func archiveName(of parts: [String]) -> String {
        parts.map { part in
            // A raw identifier may hold parentheses; the parameters come after it.
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

/// Where the resources of the tests of this process are.
package enum TestResources {
    /// The folders in which a resource may be.
    ///
    /// - Parameter bundle: The bundle that has it; when `nil`, the first one whose path ends in `.xctest`, or, where tests are
    ///   a program, the folder of that; and the bundles inside that the package manager makes of each target's resources.
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
