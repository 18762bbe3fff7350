import CZlib
import Foundation

/// A zip file with uncompressed members, which can have any names and attributes.
struct StoredZIP {
    private var local = Data()
    private var directory = Data()
    private var count = 0

    /// Adds a member.
    ///
    /// - Parameters:
    ///   - name: The name, which is stored unchanged.
    ///   - content: The content.
    ///   - mode: The file type and permissions; a regular file by default.
    ///   - isEncrypted: Whether the member claims to be encrypted.
    mutating func add(_ name: String, _ content: Data, mode: UInt32 = 0o100644, isEncrypted: Bool = false) {
        let checksum = content.withUnsafeBytes {
            crc32(0, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32($0.count))
        }
        let flags: UInt16 = 1 << 11 | (isEncrypted ? 1 : 0)
        let fields =
            bytes(UInt16(20), flags, UInt16(0), UInt16(0), UInt16(0x21)) + bytes(UInt32(checksum))
            + bytes(UInt32(content.count), UInt32(content.count)) + bytes(UInt16(name.utf8.count), UInt16(0))
        directory += bytes(UInt32(0x0201_4B50), UInt16(0x0314)) + fields + bytes(UInt16(0), UInt16(0), UInt16(0))
        directory += bytes(mode << 16, UInt32(local.count)) + Data(name.utf8)
        local += bytes(UInt32(0x0403_4B50)) + fields + Data(name.utf8) + content
        count += 1
    }

    /// The file.
    var data: Data {
        local + directory + bytes(UInt32(0x0605_4B50), UInt16(0), UInt16(0), UInt16(count), UInt16(count))
            + bytes(UInt32(directory.count), UInt32(local.count), UInt16(0))
    }

    private func bytes<each Number: FixedWidthInteger>(_ numbers: repeat each Number) -> Data {
        var data = Data()
        for number in repeat each numbers { withUnsafeBytes(of: number.littleEndian) { data += $0 } }
        return data
    }
}
