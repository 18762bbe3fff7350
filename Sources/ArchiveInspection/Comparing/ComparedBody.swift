import Foundation
import HTTPArchive

/// A body, parsed by its media type for a comparison.
final class ComparedBody {
    /// The content of a body.
    enum Content {
        case json(JSONValue)
        case form([FormEncoding.Item])
        case multipart([MultipartBody.Part])
        case text
        case binary
    }

    /// The bytes without content codings; text is converted to UTF-8.
    let data: Data

    private let type: MediaType?

    /// Whether the bytes are known to be valid UTF-8.
    private let isFromText: Bool

    /// Creates a body from text in an archive.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: The media type, or nil if it is unknown.
    init(text: String, type: MediaType?) {
        data = Data(text.utf8)
        isFromText = true
        self.type = type
    }

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - type: The media type, or nil if it is unknown.
    init(_ data: Data, type: MediaType?) {
        self.type = type
        if !RecordedBody.isBinary(type), let charset = Charset.charset(of: data, type: type), charset != .utf8 {
            self.data = Data(charset.decode(data).utf8)
            isFromText = true
        } else {
            self.data = data
            isFromText = false
        }
    }

    /// The locations of the secrets in the text, and a redactor that knows these secrets.
    ///
    /// - Complexity: O(*n*) in the size of the body, for the first access.
    private(set) lazy var searched = MessageRedactor.standard.searching(data, mediaType: type?.essence)

    /// The parsed content.
    ///
    /// - Complexity: O(*n*) in the size of the body, for the first access.
    private(set) lazy var content = parsed

    private var parsed: Content {
        if data.isEmpty { return .text }
        if RecordedBody.isBinary(type) { return .binary }
        let essence = type?.essence ?? ""
        let start = data.first { $0 != 0x20 && !(0x09...0x0D ~= $0) }
        let mayBeJSON = essence.hasSuffix("json") || start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        if mayBeJSON, let value = try? JSONValue(parsing: data) { return .json(value) }
        if essence.hasPrefix("multipart/"), let body = MultipartBody(data, type: type) { return .multipart(body.parts) }
        if essence == "application/x-www-form-urlencoded" {
            return .form(data.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) })
        }
        return isUTF8 && !hasNull ? .text : .binary
    }

    /// Whether the body can be compared by line.
    var isText: Bool {
        switch content {
        case .text: true
        case .binary: false
        default: isUTF8
        }
    }

    private var hasNull: Bool { data.withUnsafeBytes { $0.firstOffset(of: [0]) != nil } }

    private var isUTF8: Bool { isFromText || String(validating: data, as: UTF8.self) != nil }

    /// Whether this body and another one differ and are compared by line.
    func isComparedByLine(with other: ComparedBody) -> Bool {
        if data == other.data { return false }
        switch (content, other.content) {
        case (.json, .json), (.form, .form), (.multipart, .multipart): return false
        default: return isText && other.isText
        }
    }

    /// The hash of the members that select the operation of a GraphQL or JSON-RPC request, or nil for other bodies.
    var operationHash: Int? {
        guard case .json(let value) = content, let object = value.object else { return nil }
        let members = ["operationName", "query", "method"].map { object[$0]?.text }
        return members.contains { $0 != nil } ? members.hashValue : nil
    }

    /// Returns a hash that is equal for bodies that differ only in their format or in volatile values.
    ///
    /// - Parameter volatile: The values to leave out.
    /// - Returns: The hash, which is valid in this process.
    func hash(without volatile: VolatileFields) -> Int {
        var hasher = Hasher()
        switch content {
        case .json(let value): hasher.combine(value.canonicalText(ignoring: volatile.pointers(in: value)))
        case .form(let items):
            for item in items where !volatile.ignores(formField: item.name, values: [item.value[...]]) {
                hasher.combine(item.name)
                hasher.combine(item.value)
            }
        case .multipart(let parts): hasher.combine(parts.filter { !volatile.ignores([$0]) })
        default: hasher.combine(data)
        }
        return hasher.finalize()
    }
}

extension HAR.Request {
    /// Returns the body, or nil if the archive does not have it.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files.
    ///   - index: The index of the entry, for the report on body files that cannot be read.
    /// - Returns: The body.
    func comparedBody(in folder: HAR.BodyFolder, ofEntry index: Int) -> ComparedBody? {
        if let form = RecordedForm(of: self) { return ComparedBody(form.body, type: form.type) }
        return availableBody(in: folder, ofEntry: index).map { ComparedBody($0, type: mediaType) }
    }
}

extension HAR.Response {
    /// Returns the body, or nil if the archive does not have it.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files.
    ///   - index: The index of the entry, for the report on body files that cannot be read.
    /// - Returns: The body.
    func comparedBody(in folder: HAR.BodyFolder, ofEntry index: Int) -> ComparedBody? {
        // Text in the archive is compared as it was recorded, which avoids a search for its original charset.
        if let text = recordedText { return ComparedBody(text: text, type: textType) }
        return availableBody(in: folder, ofEntry: index).map { ComparedBody($0, type: textType) }
    }
}
