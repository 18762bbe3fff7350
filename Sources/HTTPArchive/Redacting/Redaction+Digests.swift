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
        let digests = Self.digests(of: body)
        let fields = headers.enumerated().map { index, header -> JSONValue in
            guard var field = header.object, let value = field.text("value"), let name = field.text("name") else {
                return header
            }
            pointer.components += ["headers", String(index), "value"]
            defer { pointer.components.removeLast(3) }
            if let new = withoutDigests(digests, in: value, named: name.lowercased()) {
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

    /// The names of header fields that contain a digest of the body, from RFC 9530, RFC 3230, RFC 2616 and cloud
    /// services.
    private static let names: Set = [
        "content-digest", "repr-digest", "digest", "content-md5", "x-amz-content-sha256", "x-goog-hash",
        "x-ms-content-md5", "x-ms-blob-content-md5", "x-content-sha256", "x-checksum-sha256", "x-checksum-sha1",
        "x-checksum-md5", "x-content-md5", "x-ms-content-sha256", "x-ms-content-crc64", "x-body-sha256",
    ]

    /// Returns the digests of a body in common encodings.
    static func digests(of body: Data) -> [String] {
        HashAlgorithm.allCases.flatMap { algorithm -> [String] in
            let hash = algorithm.hash(of: body)
            let digits = Hexadecimal.text(hash)
            let base64 = [(false, true), (false, false), (true, false)].map { isForURLs, hasPadding in
                String(decoding: Base64.encode(hash, isForURLs: isForURLs, hasPadding: hasPadding), as: UTF8.self)
            }
            return [digits, digits.uppercased()] + base64
        }
    }
}

extension BodyReference {
    /// Returns the corresponding reference in the redacted entry.
    ///
    /// - Parameter entry: The redacted version of the entry that contains this reference.
    /// - Returns: The reference, with a different name if the current name contains a secret.
    package func redacted(in entry: HAR.Entry) -> BodyReference {
        Self.references(of: entry).first { $0.pointer == pointer } ?? self
    }

    /// Returns the name of the file after its content has changed.
    ///
    /// - Parameters:
    ///   - new: The new content.
    ///   - old: The old content.
    /// - Returns: The name, with each digest of the old content replaced by the corresponding digest of the new
    ///   content.
    package func name(for new: Data, inPlaceOf old: Data) -> String {
        if new == old { return name }
        return zip(Redaction.digests(of: old), Redaction.digests(of: new)).reduce(name) { name, digests in
            name.replacing(digests.0, with: digests.1)
        }
    }

    /// Returns a name based on the SHA-1 digest of the content, for use when another file already has this name.
    ///
    /// - Parameter data: The content.
    /// - Returns: The new name, with the folder and extension of the current name, and without hyphens at the start of the
    ///   names of folders.
    package func name(for data: Data) -> String {
        var steps = name.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.hasPrefix("-") ? "_" + $0.dropFirst() : String($0)
        }
        let suffix = steps[steps.count - 1].split(separator: ".").dropFirst().last.map { "." + $0 } ?? ""
        steps[steps.count - 1] = Hexadecimal.text(HashAlgorithm.sha1.hash(of: data)) + suffix
        return steps.joined(separator: "/")
    }
}
