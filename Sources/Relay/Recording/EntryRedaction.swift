import Foundation
import HTTPArchive

/// What takes secrets out of what is recorded, before it is written.
struct EntryRedaction: Sendable {
    /// Takes them out of an entry, and of the bodies that stand in it; by default it is left as it is.
    var entry: @Sendable (HAR.Entry) -> HAR.Entry = { $0 }

    /// Takes them out of a body that is written to a file; `nil`, the default, leaves it as it is.
    ///
    /// The bytes that it is given may be mapped from a file, and need not fit into memory: it writes what it makes of them
    /// piece by piece.
    var body: (@Sendable (_ body: Data, _ mediaType: String, _ write: (Data) throws -> Void) throws -> Void)?
}
