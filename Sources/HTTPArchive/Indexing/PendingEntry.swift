import Foundation

/// The fields of an entry while it is being indexed, collected without creating strings.
struct PendingEntry: ~Copyable {
    /// The names of methods, media types and resource types.
    private(set) var names = StringTable()

    /// The identifiers of pages.
    ///
    /// They are separate from the names because an archive can have as many pages as entries.
    private(set) var pages = StringTable()

    // Missing fields have the same values as in an empty summary, where -1 represents an unknown size or time.

    /// The offset of the entry's first byte.
    private(set) var start = 0

    private(set) var url = ByteBuffer()
    private(set) var startedDateTime = ByteBuffer()
    private(set) var time = -1.0
    private(set) var size = -1
    private(set) var status = 0
    private(set) var method = StringTable.none
    private(set) var mimeType = StringTable.none
    private(set) var resourceType = StringTable.none
    private(set) var pageref = StringTable.none

    /// Whether the browser took the response from its cache, by the same rule as ``HAR/Entry/isFromCache``.
    private(set) var isFromCache = false

    // Whether each of the fields that describe a failure contains text.
    private var hasError = false
    private var hasResponseError = false
    private var hasFailureText = false

    /// Whether the request failed, by the same rule as ``HAR/Entry/failure``.
    var isFailed: Bool {
        if status > 0, !(hasError || hasResponseError || hasFailureText) { return false }
        return status != 204 && status != 205 && status != 304
    }

    /// Starts the next entry.
    mutating func begin(at offset: Int) {
        start = offset
        for field in [
            EntryField.startedDateTime, .time, .resourceType, .pageref, .fromCache, .error, .request, .response,
        ] {
            clear(field)
        }
    }

    /// Sets a field whose value is a string.
    ///
    /// If several members have the same name, the last one takes precedence, even if its value is invalid.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - text: The text between the quotation marks.
    /// - Returns: `false` if an escape sequence is invalid.
    mutating func take(_ field: EntryField, string text: UnsafeRawBufferPointer) -> Bool {
        clear(field)
        switch field {
        case .startedDateTime: return FieldText.decode(text) { startedDateTime.append($0) }
        case .url: return FieldText.decode(text) { url.append($0) }
        case .method: return FieldText.decode(text) { method = names.number(of: $0) }
        case .mimeType: return FieldText.decode(text) { mimeType = names.number(of: $0) }
        case .resourceType: return FieldText.decode(text) { resourceType = names.number(of: $0) }
        case .pageref: return FieldText.decode(text) { pageref = pages.number(of: $0) }
        // The decoded text is empty only if the string is empty.
        case .fromCache: isFromCache = !text.isEmpty
        case .error: hasError = !text.isEmpty
        case .responseError: hasResponseError = !text.isEmpty
        case .failureText: hasFailureText = !text.isEmpty
        // The text of a number is the same as JSON.
        case .time, .size, .status:
            return FieldText.decode(text) {
                guard let number = JSONNumber(string: $0) else { return }
                Array(number.text.utf8).withUnsafeBytes { take(field, scalar: $0) }
            }
        case .request, .response, .content, .other: break
        }
        return true
    }

    /// Sets a field whose value is a number, a boolean or `null`.
    mutating func take(_ field: EntryField, scalar text: UnsafeRawBufferPointer) {
        clear(field)
        switch field {
        case .time: time = JSONNumber.double(of: text).flatMap { $0 < 0 ? nil : $0 } ?? -1
        case .size: size = JSONNumber.int(of: text).flatMap { $0 < 0 ? nil : $0 } ?? -1
        case .status: status = JSONNumber.int(of: text) ?? 0
        case .fromCache: isFromCache = text.elementsEqual("true".utf8)
        default: break
        }
    }

    /// Marks a field and the fields inside it as missing.
    ///
    /// This method is also called for a field whose value is an object or an array.
    mutating func clear(_ field: EntryField) {
        switch field {
        case .startedDateTime: startedDateTime.removeAll()
        case .time: time = -1
        case .resourceType: resourceType = StringTable.none
        case .pageref: pageref = StringTable.none
        case .fromCache: isFromCache = false
        case .error: hasError = false
        case .request:
            method = StringTable.none
            url.removeAll()
        case .method: method = StringTable.none
        case .url: url.removeAll()
        case .response:
            status = 0
            hasResponseError = false
            hasFailureText = false
            clear(.content)
        case .status: status = 0
        case .responseError: hasResponseError = false
        case .failureText: hasFailureText = false
        case .content:
            size = -1
            mimeType = StringTable.none
        case .size: size = -1
        case .mimeType: mimeType = StringTable.none
        case .other: break
        }
    }
}

extension PendingEntry {
    /// Starts an entry with the fields of a summary.
    mutating func begin(with summary: HAREntrySummary) {
        begin(at: summary.byteRange.lowerBound)
        Self.append(summary.url, to: &url)
        Self.append(summary.startedDateTime, to: &startedDateTime)
        time = summary.time ?? -1
        size = summary.size ?? -1
        status = summary.status
        method = names.number(of: summary.method)
        mimeType = names.number(of: summary.mimeType)
        resourceType = names.number(of: summary.resourceType)
        pageref = pages.number(of: summary.pageref)
        // It does not matter which of the three flags is set.
        hasError = summary.isFailed
        isFromCache = summary.isFromCache
    }

    private static func append(_ text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { buffer.append(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the fields as a summary.
    ///
    /// - Parameter end: The offset after the entry.
    /// - Returns: The summary.
    func summary(endingAt end: Int) -> HAREntrySummary {
        HAREntrySummary(
            byteRange: start..<end, method: names[method] ?? "", url: String(decoding: url.bytes, as: UTF8.self),
            status: status, started: RecordedTime(String(decoding: startedDateTime.bytes, as: UTF8.self)),
            time: time < 0 ? nil : time, mimeType: names[mimeType] ?? "", size: size < 0 ? nil : size,
            resourceType: names[resourceType], pageref: pages[pageref], isFailed: isFailed,
            isFromCache: isFromCache)
    }
}

/// A set of numbered strings, for values that many entries share.
struct StringTable {
    /// The number that represents a missing string.
    static let none = UInt32.max

    /// The strings, indexed by their numbers.
    private(set) var texts: [String] = []

    /// The UTF-8 bytes of all strings, and the end offset of each string.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The random seed of the hashes, which protects against files crafted to cause collisions.
    private let seed = UInt64.random(in: .min ... .max)

    /// A hash table with open addressing.
    ///
    /// Each slot contains the number of a string plus 1, or 0 if it is free.
    ///
    /// At most half of the slots are in use.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// Returns the number of a string, adding the string if it is new.
    mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
        var slot = hash(of: text) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if isText(text, of: Int(number)) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        texts.append(String(decoding: text, as: UTF8.self))
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        slots[slot] = UInt32(texts.count)
        if 2 * texts.count > slots.count { grow() }
        return UInt32(texts.count - 1)
    }

    /// Returns the number of a string, or ``none`` for `nil`.
    mutating func number(of text: String?) -> UInt32 {
        guard var text else { return Self.none }
        return text.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
    }

    /// The string with the given number, or `nil` for ``none``.
    subscript(number: UInt32) -> String? { number == Self.none ? nil : texts[Int(number)] }

    private func isText(_ text: UnsafeRawBufferPointer, of number: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let other = self.text(of: number, in: bytes)
            return other.count == text.count && text.hasEqualBytes(to: other)
        }
    }

    private func text(of number: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        bytes[from: number == 0 ? 0 : ends[number - 1], to: ends[number]]
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: 4 * slots.count)
        for number in texts.indices {
            var slot = bytes.withUnsafeBytes { hash(of: text(of: number, in: $0)) } & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Hashes a string, eight bytes at a time.
    private func hash(of text: UnsafeRawBufferPointer) -> Int {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = seed ^ UInt64(truncatingIfNeeded: text.count)
        var offset = 0
        while offset &+ 8 <= text.count {
            hash = (hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
            hash ^= hash >> 32
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = rest << 8 | UInt64(text[offset])
            offset &+= 1
        }
        hash = (hash ^ rest) &* factor
        return Int(truncatingIfNeeded: hash >> 33)
    }
}
