import Foundation

/// Base64 as found in archives: with line breaks, without padding, in either alphabet (RFC 4648).
enum Base64 {
    /// Decodes Base64 leniently.
    ///
    /// - Returns: The bytes; `nil` if the text is not Base64.
    static func decode(_ text: String) -> Data? {
        if let data = Data(base64Encoded: text) { return data }
        var clean: [UInt8] = []
        clean.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): clean.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): clean.append(UInt8(ascii: "/"))
            case UInt8(ascii: "="), 0x09, 0x0A, 0x0D, 0x20: break
            default: clean.append(byte)
            }
        }
        clean.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - clean.count % 4) % 4))
        return Data(base64Encoded: Data(clean))
    }
}
