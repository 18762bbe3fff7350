import Foundation

/// Base64 as archives have it: with line breaks, without padding, in either alphabet.
enum Base64 {
    /// Decodes a text.
    ///
    /// - Returns: `nil` when the text is no base64 even so.
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
