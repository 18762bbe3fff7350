import Foundation
import Synchronization

/// The file that contains an archive and possibly its body files, such as a zip file.
final class BodyContainer: Sendable, Hashable {
    private let archive: URL

    /// The body files, or an error; nil before the first use.
    private let state = Mutex<Result<(any MemberStore)?, HARError>?>(nil)

    /// Creates a container, which is opened when it is first used.
    ///
    /// - Parameter archive: The archive.
    init(of archive: URL) {
        self.archive = archive
    }

    /// Returns the body files, or nil if the file contains only the archive.
    ///
    /// - Parameter sizeLimit: The maximum size of all body files, in bytes.
    /// - Returns: The body files.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    func members(sizeLimit: Int) throws(HARError) -> (any MemberStore)? {
        try state.withLock { state in
            let result = state ?? load(sizeLimit)
            state = result
            return result
        }.get()
    }

    private func load(_ sizeLimit: Int) -> Result<(any MemberStore)?, HARError> {
        // The archive may not exist yet.
        guard let file = try? InputFile(url: archive, waitsForWriter: false) else { return .success(nil) }
        return Result { () throws(HARError) in try file.members(sizeLimit) }
    }

    static func == (first: BodyContainer, second: BodyContainer) -> Bool { first.archive == second.archive }

    func hash(into hasher: inout Hasher) { hasher.combine(archive) }
}
