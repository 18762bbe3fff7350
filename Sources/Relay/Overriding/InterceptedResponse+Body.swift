import Foundation

extension InterceptedResponse {
    /// Takes another body, and makes the fields right that describe it.
    ///
    /// A length that is given becomes the new one; codings and checksums of the old body go.
    mutating func replaceBody(with body: Data) {
        self.body = body
        headers.remove(named: Self.fieldsOfBytes)
        correctLength()
    }

    /// Sets `Content-Length`, if there is one, to the number of bytes of the body.
    mutating func correctLength() {
        let length = String(body.count)
        let values = headers.values(named: "content-length")
        guard !values.isEmpty, values != [length] else { return }
        headers.set(HeaderField(name: "Content-Length", value: length))
    }

    /// Whether the headers name a content coding, so that `Content-Length` is the length of the encoded body.
    var isEncoded: Bool {
        headers.values(named: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }

    /// What describes the very bytes: RFC 9110, section 8.4, RFC 9112, section 6.1, RFC 9530 and what came before it.
    private static let fieldsOfBytes: Set = [
        "content-encoding", "transfer-encoding", "content-digest", "repr-digest", "digest", "content-md5",
    ]
}

extension [HeaderField] {
    /// Takes a field in place of all of its name, where the first of them stood and in its spelling.
    mutating func set(_ field: HeaderField) {
        let name = field.name.lowercased()
        guard let place = firstIndex(where: { $0.name.lowercased() == name }) else { return append(field) }
        self[place].value = field.value
        let rest = self[(place + 1)...].filter { $0.name.lowercased() != name }
        replaceSubrange((place + 1)..., with: rest)
    }
}
