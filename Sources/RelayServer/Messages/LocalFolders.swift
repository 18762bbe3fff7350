#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    /// The folders of files that messages to clients can refer to.
    ///
    /// Clients can be on other machines, which must not receive paths of this machine.
    struct LocalFolders: Sendable {
        /// The paths without a slash at the end, longest first.
        private let paths: [String]

        /// Collects the folders of an interceptor's archives, and the current, temporary and home folder.
        init(of interceptor: Interceptor) {
            let files = FileManager.default
            let current = URL(fileURLWithPath: files.currentDirectoryPath)
            let folders = interceptor.folders + [current, files.temporaryDirectory, files.homeDirectoryForCurrentUser]
            let paths = folders.flatMap { [$0, $0.resolvingSymlinksInPath()] }
                .map { $0.absoluteURL.path.trimming(CharacterSet(charactersIn: "/")) }
            self.paths = Set(paths).filter { !$0.isEmpty }.map { "/" + $0 }.sorted { $0.count > $1.count }
        }

        /// Returns the text of an error with names of files in place of their paths.
        func text(of error: HARError) -> String {
            text(of: RelayError(.unreadableArchive, error.message, at: error.context))
        }

        /// Returns the text of an error with names of files in place of their paths.
        func text(of error: RelayError) -> String {
            var context = error.context
            context.file = context.file.map { String($0.split(separator: "/").last ?? "") }
            return RelayError(error.code, withoutPaths(error.message), at: context).description
        }

        private func withoutPaths(_ message: String) -> String {
            paths.reduce(message) { message, path in
                // Other text before the path is part of a URL.
                [" ", "'", "`", "(", "\n"].reduce(message.hasPrefix(path) ? " " + message : message) { message, start in
                    message.replacing("\(start)\(path)/", with: start).replacing("\(start)\(path)", with: "\(start)…")
                }.trimming(.whitespaces)
            }
        }
    }
#endif
