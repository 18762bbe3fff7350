import Foundation

/// The fields of an entry that an index stores, and the objects that contain them.
enum EntryField {
    /// Any other field.
    case other
    case startedDateTime, time, resourceType, pageref, fromCache, error, request, response
    case method, url
    case status, responseError, failureText, content
    case size, mimeType

    /// Returns the field with the given name in an object, comparing the length of the name first.
    ///
    /// - Parameters:
    ///   - name: The name, without escape sequences.
    ///   - object: The kind of object.
    /// - Returns: The field.
    @inline(__always)
    static func named(_ name: UnsafeRawBufferPointer, in object: EntryObject) -> EntryField {
        switch object {
        case .entry:
            switch name.count {
            case 4: name.spells("time") ? .time : .other
            case 6: name.spells("_error") ? .error : .other
            case 7: name.spells("request") ? .request : name.spells("pageref") ? .pageref : .other
            case 8: name.spells("response") ? .response : .other
            case 10: name.spells("_fromCache") ? .fromCache : .other
            case 13: name.spells("_resourceType") ? .resourceType : .other
            case 15: name.spells("startedDateTime") ? .startedDateTime : .other
            default: .other
            }
        case .request:
            switch name.count {
            case 3: name.spells("url") ? .url : .other
            case 6: name.spells("method") ? .method : .other
            default: .other
            }
        case .response:
            switch name.count {
            case 6: name.spells("status") ? .status : name.spells("_error") ? .responseError : .other
            case 7: name.spells("content") ? .content : .other
            case 12: name.spells("_failureText") ? .failureText : .other
            default: .other
            }
        case .content:
            switch name.count {
            case 4: name.spells("size") ? .size : .other
            case 8: name.spells("mimeType") ? .mimeType : .other
            default: .other
            }
        case .other: .other
        }
    }

    /// The kind of object that is the field's value, or `other` if the index reads no fields of the value.
    var object: EntryObject {
        switch self {
        case .request: .request
        case .response: .response
        case .content: .content
        default: .other
        }
    }
}

/// The kinds of objects whose fields the index reads.
enum EntryObject {
    /// Any other object.
    case other
    case entry, request, response, content
}

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes are equal to a string of the same size.
    @inline(__always)
    fileprivate func spells(_ text: StaticString) -> Bool {
        guard let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}

/// Decodes strings directly from their bytes.
///
/// Simple strings, which are the most common, take a fast path. All others are decoded by the parser's types, with the
/// same result.
enum FieldText {
    /// Returns whether a string contains only ASCII characters and no escape sequences, so it needs no decoding.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset &+ 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 | word.bytes(equalTo: UInt8(ascii: "\\")) != 0 { return false }
            offset &+= 8
        }
        while offset < text.count {
            if text[offset] >= 0x80 || text[offset] == UInt8(ascii: "\\") { return false }
            offset &+= 1
        }
        return true
    }

    /// Decodes a string and passes its UTF-8 bytes to `body`.
    ///
    /// - Parameters:
    ///   - text: The text between the quotation marks.
    ///   - body: A closure that receives the bytes. It is not called if an escape sequence is invalid.
    /// - Returns: `false` if an escape sequence is invalid. The parser has not validated the string yet.
    @inline(__always)
    static func decode(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        if isPlain(text) {
            body(text)
            return true
        }
        guard JSONText.hasValidEscapes(text) else { return false }
        var decoded = JSONString(source: text).text
        decoded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        return true
    }
}
