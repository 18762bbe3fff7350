package import Foundation
package import HTTPArchive
import Synchronization

/// A body that is collected in chunks.
///
/// Small bodies are stored in memory, and large bodies in an anonymous file.
///
/// Copies are cheap and independent: appending to one copy does not change the others.
package struct SpooledBody: Sendable {
    /// The maximum size of a body in memory, in bytes.
    package static let memoryLimit = 1 << 20

    /// The size of a chunk read from the file, in bytes.
    static let chunkSize = 1 << 18

    private enum Storage: Sendable {
        case memory(Data)

        /// The first bytes of a file. These bytes never change. Subsequent bytes in the file belong to copies.
        case file(SpoolFile, count: Int)
    }

    private var storage: Storage

    /// Creates an empty body.
    package init() { storage = .memory(Data()) }

    /// Creates a body from data.
    init(_ data: Data) { storage = .memory(data) }

    /// The number of bytes.
    package var count: Int {
        switch storage {
        case .memory(let data): data.count
        case .file(_, let count): count
        }
    }

    /// The number of bytes in memory; 0 if the body is in a file.
    package var memorySize: Int { if case .memory(let data) = storage { data.count } else { 0 } }

    /// The bytes, mapped into memory if the body is in a file.
    ///
    /// Mapped bytes use no memory until they are read. The bytes remain valid after this value is destroyed.
    package var data: Data {
        switch storage {
        case .memory(let data): data
        case .file(let file, let count): file.mapped(count)
        }
    }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - limit: The size up to which the body is in memory, in bytes; 1 MB by default.
    ///   - spool: The file for the body up to a size of 2 MB, or nil (the default) for a file that is not shared.
    /// - Throws: `unwritableFile` if the file cannot be written; earlier chunks are preserved.
    package mutating func append(
        _ chunk: Data, inMemoryUpTo limit: Int = SpooledBody.memoryLimit, sharing spool: SharedSpool? = nil
    ) throws(HARError) {
        guard !chunk.isEmpty else { return }
        if case .memory(var data) = storage, data.count + chunk.count <= limit {
            // The first chunk is often the complete body. Storing it without a copy shares its memory with the client.
            guard !data.isEmpty || chunk.startIndex != 0 else { return storage = .memory(chunk) }
            // Makes `data` uniquely referenced, so that appending does not copy it.
            storage = .memory(Data())
            data.append(chunk)
            return storage = .memory(data)
        }
        let size = count + chunk.count
        // If a copy was appended to, or a part of a shared file is full, the body is copied to a new file.
        if case .file(let file, let count) = storage, try file.append(chunk, at: count) {
            return storage = .file(file, count: size)
        }
        let isShared = size <= SharedSpool.partSize
        let file = if isShared, let spool { try spool.reserve(SharedSpool.partSize) } else { try SpoolFile() }
        let end = count
        try forEachPiece { data, place throws(HARError) in _ = try file.append(data, at: place) }
        storage = .file(file, count: end)
        _ = try file.append(chunk, at: end)
        storage = .file(file, count: size)
    }

    /// Returns the body without the content codings that header fields name.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - limit: The maximum size of the decoded body, in bytes.
    /// - Returns: The decoded body, this body if it cannot be decoded or would be larger than 100 MB, or nil if it would be
    ///   larger than a limit below that.
    func decoded(by headers: [HeaderField], upTo limit: Int) -> SpooledBody? {
        do throws(HARError) {
            return try headers.body(decodedFrom: data, upTo: limit).map { SpooledBody($0) } ?? self
        } catch {
            return error.code == .limitExceeded && limit < ContentCoding.greatestSize ? nil : self
        }
    }

    /// Moves a body from memory to a shared file, which limits the number of open files.
    ///
    /// If the file cannot be written, the body remains in memory.
    mutating func moveToFile() {
        guard case .memory(let data) = storage, !data.isEmpty else { return }
        guard let file = try? SharedSpool.waiting.reserve(data.count), (try? file.append(data, at: 0)) == true else {
            return
        }
        storage = .file(file, count: data.count)
    }

    /// Calls a closure with each chunk of the body, in order.
    ///
    /// Memory use is constant.
    ///
    /// - Parameter body: A closure that receives a chunk and its offset in bytes.
    /// - Throws: The error of `body`, or `unreadableFile` if the file cannot be read.
    func forEachPiece(_ body: (_ piece: Data, _ place: Int) throws(HARError) -> Void) throws(HARError) {
        var offset = 0
        while offset < count {
            let size = min(Self.chunkSize, count - offset)
            switch storage {
            case .memory(let data): try body(data.dropFirst(offset).prefix(size), offset)
            case .file(let file, _): try body(try file.read(size, at: offset), offset)
            }
            offset += size
        }
    }
}
