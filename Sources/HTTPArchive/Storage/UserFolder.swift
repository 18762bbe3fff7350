package import Foundation

/// The folders of the current user
/// (https://specifications.freedesktop.org/basedir-spec/latest/, on Apple platforms the folders in Library).
package enum UserFolder {
    /// The folder for keys and other data that must be kept.
    package static var data: URL { folder(.applicationSupportDirectory, variable: "XDG_DATA_HOME", ".local/share") }

    /// The folder for data that can be created again.
    package static var caches: URL { folder(.cachesDirectory, variable: "XDG_CACHE_HOME", ".cache") }

    private static func folder(
        _ directory: FileManager.SearchPathDirectory, variable: String, _ path: String
    ) -> URL {
        #if canImport(Darwin)
            if let url = FileManager.default.urls(for: directory, in: .userDomainMask).first { return url }
        #endif
        // On Linux, Foundation ignores HOME.
        let environment = ProcessInfo.processInfo.environment
        func location(_ variable: String) -> URL? {
            environment[variable].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        let home = { location("HOME") ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true) }
        return location(variable) ?? home().appendingPathComponent(path)
    }
}
