import RelayCore
import RelayURLSession
/// What is recorded into a folder.
public struct RecordingLayout: Hashable, Sendable {
    private enum Kind { case archive, fileForEachRequest }

    private let kind: Kind

    /// One archive, which is named as the folder.
    public static let archive = Self(kind: .archive)

    /// An archive for each request, named by its method, its URL and a hash of what it sends.
    public static let fileForEachRequest = Self(kind: .fileForEachRequest)
}
