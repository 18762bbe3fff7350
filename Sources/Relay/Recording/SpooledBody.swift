import Foundation
import HTTPArchive

/// A body that is collected while it passes: in memory while it is small, and from then on in a file without a name.
///
/// A copy costs nothing, and what is added to one is not seen in the other.
struct SpooledBody: Sendable {
    /// The size up to which a body is in memory, in bytes.
    static let memoryLimit = 1 << 20

    /// How much is read at once, in bytes.
    static let pieceSize = 1 << 18

    private enum Storage: Sendable {
        case memory(Data)

        /// The first bytes of a file, which never change; more may follow that belong to a copy.
        case file(SpoolFile, count: Int)
    }

    private var storage: Storage

    /// Starts an empty body.
    init() { storage = .memory(Data()) }

    /// Starts with a body that is there.
    init(_ data: Data) { storage = .memory(data) }

    /// The number of bytes.
    var count: Int {
        switch storage {
        case .memory(let data): data.count
        case .file(_, let count): count
        }
    }

    /// The bytes; those of a large body are mapped from the file, and take no memory until they are read.
    ///
    /// They stay valid without this value.
    var data: Data {
        switch storage {
        case .memory(let data): data
        case .file(let file, let count): file.mapped(count: count)
        }
    }

    /// Adds a piece.
    ///
    /// - Throws: `unwritableFile` when the file cannot be written; what came before stays.
    mutating func append(_ piece: Data) throws(HARError) {
        guard !piece.isEmpty else { return }
        switch storage {
        case .memory(var data):
            guard data.count + piece.count > Self.memoryLimit else {
                // The bytes have one owner while they grow.
                storage = .memory(Data())
                data.append(piece)
                storage = .memory(data)
                return
            }
            let file = try SpoolFile()
            try file.append(data, at: 0)
            let end = data.count
            storage = .file(file, count: end)
            try file.append(piece, at: end)
            storage = .file(file, count: end + piece.count)
        case .file(let file, let count):
            // Where a copy has gone on, this one goes on in a file of its own.
            if try file.append(piece, at: count) {
                storage = .file(file, count: count + piece.count)
                return
            }
            let own = try SpoolFile()
            try forEachPiece { data, place throws(HARError) in try own.append(data, at: place) }
            try own.append(piece, at: count)
            storage = .file(own, count: count + piece.count)
        }
    }

    /// Passes over the bytes in order, in memory that does not depend on their number.
    ///
    /// - Parameter body: Is called with each piece and the number of bytes before it.
    /// - Throws: What `body` throws; `unreadableFile` when the file cannot be read.
    func forEachPiece(_ body: (_ piece: Data, _ place: Int) throws(HARError) -> Void) throws(HARError) {
        var place = 0
        while place < count {
            let size = min(Self.pieceSize, count - place)
            switch storage {
            case .memory(let data): try body(data.dropFirst(place).prefix(size), place)
            case .file(let file, _): try body(try file.read(size, at: place), place)
            }
            place += size
        }
    }
}
