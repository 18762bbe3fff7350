package import Foundation
package import HTTPArchive
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A body that is collected while it passes: in memory while it is small, and from then on in a file without a name.
///
/// A copy costs nothing, and what is added to one is not seen in the other.
package struct SpooledBody: Sendable {
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
    package init() { storage = .memory(Data()) }

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
    package mutating func append(_ piece: Data) throws(HARError) {
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

/// A file without a name, which grows at its end alone and goes with the process.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// The number of bytes that were written whole.
    private let count = Mutex(0)

    /// Creates an empty file in the folder for temporary files.
    ///
    /// - Throws: `unwritableFile`.
    convenience init() throws(HARError) {
        try self.init(in: FileManager.default.temporaryDirectory)
    }

    /// Creates an empty file.
    ///
    /// - Parameter folder: The folder whose file system is to have the bytes.
    /// - Throws: `unwritableFile`.
    convenience init(in folder: URL) throws(HARError) {
        var descriptor: Int32 = -1
        #if os(Linux)
            // O_TMPFILE, which Swift does not see (open(2)).
            descriptor = open(folder.path, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        #endif
        if descriptor < 0 {
            let path = folder.appendingPathComponent("relay-\(UUID().uuidString)").path
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 { unlink(path) }
        }
        guard descriptor >= 0 else { throw Self.error(.unwritableFile, "created") }
        self.init(descriptor: descriptor)
    }

    /// Takes an open file, which is empty, and closes it in the end.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes a piece behind the bytes that are there.
    ///
    /// - Parameters:
    ///   - piece: The bytes.
    ///   - place: Where they belong.
    /// - Returns: `false` when the file does not end at that place; nothing is written then.
    /// - Throws: `unwritableFile`; the bytes that were there stay.
    @discardableResult
    func append(_ piece: Data, at place: Int) throws(HARError) -> Bool {
        let problem: Int32?? = count.withLock { count in
            guard count == place else { return nil }
            if let problem = write(piece, at: place) { return problem }
            count += piece.count
            return .some(nil)
        }
        guard let problem else { return false }
        if let problem { throw Self.error(.unwritableFile, "written", problem) }
        return true
    }

    /// Reads bytes.
    ///
    /// - Throws: `unreadableFile`, also when the file has fewer.
    func read(_ size: Int, at place: Int) throws(HARError) -> Data {
        var bytes = Data(count: size)
        let problem: Int32? = bytes.withUnsafeMutableBytes { buffer in
            var filled = 0
            while filled < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(place + filled))
                if read == 0 { return EIO }
                if read < 0, errno != EINTR { return errno }
                filled += max(0, read)
            }
            return nil
        }
        if let problem { throw Self.error(.unreadableFile, "read", problem) }
        return bytes
    }

    /// The first bytes as memory that the system fills when they are read; it lives as long as the value.
    ///
    /// - Parameter count: The number of bytes, all of which were written, and more than none.
    /// - Returns: The bytes.
    func mapped(count: Int) -> Data {
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            // There is no room for a mapping: then there is hardly any for the bytes, but a copy needs no such thing.
            return (try? read(count, at: 0)) ?? Data()
        }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { start, count in munmap(start, count) })
    }

    /// Writes all of a piece.
    ///
    /// - Returns: The number of the system's error; `nil` for none.
    private func write(_ piece: Data, at place: Int) -> Int32? {
        piece.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let written = pwrite(descriptor, part.baseAddress, part.count, off_t(place + rest.startIndex))
                if written < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, written))
            }
            return nil
        }
    }

    private static func error(_ code: HARError.Code, _ verb: String, _ number: Int32 = errno) -> HARError {
        HARError(
            code,
            """
            The temporary file of a large body cannot be \(verb): \(String(cString: strerror(number))). Make room in \
            the folder for temporary files, or name another one by TMPDIR.
            """)
    }
}
