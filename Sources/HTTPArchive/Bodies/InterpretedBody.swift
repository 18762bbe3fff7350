package import Foundation

/// The bytes of a body in an archive, and how they were found if the archive does not declare it.
package struct InterpretedBody {
    /// The bytes, without content codings unless ``keepsCoding``.
    package var bytes: Data

    /// Whether the recorded text is Base64 or a `data:` URL without being marked as such.
    package var isUnmarkedBase64 = false

    /// Whether the body was recorded with its content codings, which were removed.
    package var wasCoded = false

    /// Whether the body was recorded with content codings that cannot be removed.
    package var keepsCoding = false

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isUnmarkedBase64: Whether the recorded text is Base64 without being marked as such; `false` by default.
    package init(bytes: Data, isUnmarkedBase64: Bool = false) {
        self.bytes = bytes
        self.isUnmarkedBase64 = isUnmarkedBase64
    }

    /// Whether the archive declares how the bytes are recorded.
    var isDeclared: Bool { !isUnmarkedBase64 && !wasCoded && !keepsCoding }
}

extension InterpretedBody {
    /// Removes the content codings that the tool did not remove.
    ///
    /// A body that does not have the declared codings is unchanged, because most tools record decoded bodies and keep
    /// the header fields.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the message.
    ///   - type: The media type. A file in gzip format is unchanged.
    package mutating func removeCodings(
        _ headers: @autoclosure () -> [HAR.Header], _ type: @autoclosure () -> MediaType?
    ) {
        // Most bodies are text, so neither is read.
        guard bytes.withUnsafeBytes({ $0.isBinary }) else { return }
        let (headers, type) = (headers(), type())
        guard headers.isEncoded, type?.essence.hasSuffix("gzip") != true else { return }
        switch try? ContentCoding.decoded(bytes, headers: headers) {
        case .bytes(let decoded):
            wasCoded = decoded != bytes
            // The data can be truncated.
            keepsCoding = !wasCoded && Self.hasSignature(ofCoding: headers.value(of: "content-encoding") ?? "", bytes)
            bytes = decoded
        case .unsupported:
            // Other codings have no signature.
            keepsCoding =
                Self.hasSignature(ofCoding: headers.value(of: "content-encoding") ?? "", bytes)
                || !BinarySignature.begins(bytes)
                    && (type?.isText == true || headers.value(of: "content-length") == String(bytes.count))
        case nil: keepsCoding = true
        }
    }

    private static func hasSignature(ofCoding coding: String, _ bytes: Data) -> Bool {
        let signature: [UInt8] =
            switch coding.lowercased() {
            case "gzip", "x-gzip": [0x1F, 0x8B, 8]
            case "zstd": [0x28, 0xB5, 0x2F, 0xFD]
            default: []
            }
        return !signature.isEmpty && bytes.starts(with: signature)
    }
}
