import Foundation
import HTTPArchive

/// A body that is collected while it passes: in memory while it is small, and from then on in a file without a name.
struct SpooledBody: Sendable {
    /// The number of bytes.
    var count: Int { data.count }

    /// The bytes; those of a large body are mapped from the file, and take no memory until they are read.
    private(set) var data = Data()

    /// Starts an empty body.
    init() {}

    /// Starts with a body that is there.
    init(_ data: Data) { self.data = data }

    /// Adds a piece.
    ///
    /// - Throws: `unwritableFile` when the file cannot be written; what came before stays.
    mutating func append(_ piece: Data) throws(HARError) { data += piece }
}
