import RelayCore
import RelayURLSession
/// The layout of a folder of recordings.
public struct RecordingLayout: Hashable, Sendable {
    private enum Kind { case archive, fileForEachRequest }

    private let kind: Kind

    /// A single archive with the name of the folder.
    public static let archive = Self(kind: .archive)

    /// An archive for each request, named after the method, the URL and a hash of the sent data.
    public static let fileForEachRequest = Self(kind: .fileForEachRequest)
}
