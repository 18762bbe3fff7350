import Foundation

/// Fields of an entry that an index keeps, and the objects on the way to them.
enum EntryField {
    /// Every other field.
    case other
    case startedDateTime, time, resourceType, pageref, error, request, response
    case method, url
    case status, responseError, failureText, content
    case size, mimeType

    /// The field of that name in an object; names are told apart by their length first.
    ///
    /// - Parameters:
    ///   - name: The name, without escapes.
    ///   - object: What the object is.
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

    /// The object that a field is, if an index looks into it.
    var object: EntryObject {
        switch self {
        case .request: .request
        case .response: .response
        case .content: .content
        default: .other
        }
    }
}

/// The objects of an entry that an index looks into.
enum EntryObject {
    /// Every other object.
    case other
    case entry, request, response, content
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are those of a text that has as many.
    @inline(__always)
    fileprivate func spells(_ text: StaticString) -> Bool {
        guard let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
