package import Foundation

/// Redaction of digests of bodies with secrets, because a digest could reveal the secrets.
extension Redaction {
    /// Returns a message with the digests of its old body replaced.
    ///
    /// - Parameters:
    ///   - body: The body before its secrets were replaced.
    ///   - message: The fields of the request or response.
    /// - Returns: The message, with placeholders for the values of digest header fields, and for digests of the body in
    ///   other header fields, such as `ETag`.
    mutating func withoutDigests(of body: Data?, in message: JSONObject) -> JSONObject {
        guard let headers = message["headers"]?.array, let body, !body.isEmpty else { return message }
        // Few messages have a field that can contain a digest.
        var digests: [String]?
        let fields = headers.enumerated().map { index, header -> JSONValue in
            guard var field = header.object, let value = field.text("value"), let name = field.text("name") else {
                return header
            }
            pointer.components += ["headers", String(index), "value"]
            defer { pointer.components.removeLast(3) }
            if digests == nil, Self.mayContainDigest(value) { digests = HashAlgorithm.digests(of: body) }
            if let new = withoutDigests(digests ?? [], in: value, named: name.lowercased()) {
                field["value"] = .string(JSONString(new))
            }
            return .object(field)
        }
        guard fields != headers else { return message }
        var message = message
        message["headers"] = .array(fields)
        return message
    }

    private mutating func withoutDigests(_ digests: [String], in value: String, named name: String) -> String? {
        if Self.names.contains(name) || name.hasPrefix("x-amz-checksum-") {
            let letters = value.utf8.filter { !$0.isBlank && !",;\"".utf8.contains($0) }
            guard SecretValue.looksRandom(letters), !HARRedactor.isRedacted(value) else { return nil }
            return placeholder(for: Array(value.utf8), .digest, name: name).map { String(decoding: $0, as: UTF8.self) }
        }
        var result = value
        for digest in digests where result.contains(digest) {
            guard let new = placeholder(for: Array(digest.utf8), .digest, name: name) else { continue }
            result = result.replacing(digest, with: String(decoding: new, as: UTF8.self))
        }
        return result == value ? nil : result
    }

    /// Whether text contains a word with the length of a digest that does not consist of lowercase letters.
    private static func mayContainDigest(_ text: String) -> Bool {
        var (length, isMixed) = (0, false)
        return text.utf8.contains { byte in
            guard byte.isPartOfWord || "+/-".utf8.contains(byte) else {
                (length, isMixed) = (0, false)
                return false
            }
            length += 1
            isMixed = isMixed || byte.isDigit || 0x41...0x5A ~= byte
            return length >= shortestDigest && isMixed
        }
    }

    /// The length of an MD5 digest in Base64 without padding.
    private static let shortestDigest = 22

    /// The names of header fields that contain a digest of the body, from RFC 9530, RFC 3230, RFC 2616 and cloud
    /// services.
    private static let names: Set = [
        "content-digest", "repr-digest", "digest", "content-md5", "x-amz-content-sha256", "x-goog-hash",
        "x-ms-content-md5", "x-ms-blob-content-md5", "x-content-sha256", "x-checksum-sha256", "x-checksum-sha1",
        "x-checksum-md5", "x-content-md5", "x-ms-content-sha256", "x-ms-content-crc64", "x-body-sha256",
    ]
}

extension HashAlgorithm {
    /// Returns the digests of a body in common encodings.
    package static func digests(of body: Data) -> [String] {
        allCases.flatMap { algorithm -> [String] in
            let hash = algorithm.hash(of: body)
            let digits = Hexadecimal.text(hash)
            let base64 = [(false, true), (false, false), (true, false)].map { isForURLs, hasPadding in
                String(decoding: Base64.encode(hash, isForURLs: isForURLs, hasPadding: hasPadding), as: UTF8.self)
            }
            return [digits, digits.uppercased()] + base64
        }
    }
}
