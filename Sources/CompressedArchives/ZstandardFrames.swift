/// The structure of a Zstandard file (RFC 8878, section 3, https://www.rfc-editor.org/rfc/rfc8878#section-3).
///
/// libarchive fails at a file that begins with a skippable frame, as written by `pzstd`, and loses decompressed bytes
/// if other bytes follow the last frame. Both are removed from its input.
struct ZstandardFrames {
    /// The number of bytes before the input of ``filter(_:count:)``.
    ///
    /// They are needed because the bytes of a signature are kept back until it is complete.
    static let margin = 4

    private static let signature: UInt32 = 0xFD2F_B528

    /// A part of the file.
    private enum Part {
        case signature, skippableSize, skippable, descriptor, header, blockHeader, block, checksum, end
    }

    private var part = Part.signature

    /// The number of bytes of the part that were not read yet.
    private var rest = 4

    /// The bytes of a number in little-endian order that were read so far.
    private var number: UInt32 = 0

    private var hasChecksum = false
    private var isLastBlock = false

    /// Whether the last frame is complete, and other bytes follow.
    var isAtEnd: Bool { part == .end }

    /// Returns whether a file begins with a skippable frame.
    static func isSkippable(_ start: UnsafeRawBufferPointer) -> Bool {
        start.count >= 4 && start[0] & 0xF0 == 0x50 && start[1...].starts(with: [0x2A, 0x4D, 0x18])
    }

    /// Removes skippable frames, and the bytes after the last frame.
    ///
    /// - Parameters:
    ///   - buffer: A buffer that contains the next bytes of the file after a margin, and receives the remaining bytes.
    ///   - count: The number of bytes after the margin.
    /// - Returns: The number of remaining bytes, from the start of the buffer.
    mutating func filter(_ buffer: UnsafeMutableRawBufferPointer, count: Int) -> Int {
        var (offset, kept) = (Self.margin, 0)
        let end = offset + count
        while offset < end, part != .end {
            let size = min(rest, end - offset)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + size])
            if [.signature, .skippableSize, .descriptor, .blockHeader].contains(part) {
                for byte in bytes { number = number >> 8 | UInt32(byte) << 24 }
            }
            if ![.signature, .skippableSize, .skippable].contains(part) {
                buffer[kept...].copyBytes(from: bytes)
                kept += size
            }
            offset += size
            rest -= size
            if rest == 0 { kept += finishPart(buffer[kept...]) }
        }
        return kept
    }

    /// Begins the next part, and returns the number of bytes that were added to the output.
    private mutating func finishPart(_ output: Slice<UnsafeMutableRawBufferPointer>) -> Int {
        let value = number
        number = 0
        switch part {
        case .signature:
            if value & 0xFFFF_FFF0 == 0x184D_2A50 {
                begin(.skippableSize, 4)
            } else if value == Self.signature {
                begin(.descriptor, 1)
                withUnsafeBytes(of: value.littleEndian) { output.copyBytes(from: $0) }
                return 4
            } else {
                part = .end
            }
        case .skippableSize: begin(.skippable, Int(value))
        case .descriptor: beginHeader(UInt8(value >> 24))
        case .header: begin(.blockHeader, 3)
        case .blockHeader:
            let header = value >> 8
            isLastBlock = header & 1 == 1
            // A block of one repeated byte contains only that byte.
            begin(.block, header >> 1 & 3 == 1 ? 1 : Int(header >> 3))
        case .block where !isLastBlock: begin(.blockHeader, 3)
        case .block where hasChecksum: begin(.checksum, 4)
        case .block, .skippable, .checksum: begin(.signature, 4)
        case .end: break
        }
        return 0
    }

    /// Begins the rest of a frame header.
    private mutating func beginHeader(_ descriptor: UInt8) {
        hasChecksum = descriptor & 4 != 0
        let isSingleSegment = descriptor & 0x20 != 0
        let identifierSize = [0, 1, 2, 4][Int(descriptor & 3)]
        let sizeSize = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
        begin(.header, (isSingleSegment ? 0 : 1) + identifierSize + sizeSize)
    }

    private mutating func begin(_ next: Part, _ size: Int) {
        part = next
        rest = size
    }
}
