package import HTTPArchive

/// A way in which another tool keeps what it recorded.
package protocol RecordingFormat {
    /// What `har import --from` calls it.
    static var name: String { get }

    /// Whether a file looks like one of the format.
    ///
    /// - Parameter file: The file.
    /// - Returns: Whether the main parts of the format are there; what is wrong in them is found when it is read.
    static func recognizes(_ file: RecordingFile) -> Bool

    /// The entries of a file, in its order of preference: the one that is to be found first, first.
    ///
    /// No entry starts before the one in front of it. What HAR has no place for stands in fields whose names begin with
    /// an underscore.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place; `unreadableFile` where a file with a body is
    ///   missing.
    static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry]
}
