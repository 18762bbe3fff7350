package import HTTPArchive

/// A field of a HAR object, as defined in the specification.
package struct HARField: Sendable {
    /// The type of a field's value.
    package enum Value: Sendable {
        case text, boolean, number, date, url, httpVersion, status

        /// A number of bytes, or -1 if it is unknown.
        case size

        /// A duration in milliseconds, which must not be negative.
        case time

        /// A duration in milliseconds, or -1 if it does not apply.
        case optionalTime

        case object(HARObjectKind)

        case array(of: HARObjectKind)
    }

    package let name: String
    package let value: Value

    /// The severity of the finding if the field is missing, or nil if the field is optional.
    package let absence: HARFinding.Severity?

    /// Whether the field was added in HAR 1.2.
    let isNew: Bool

    /// Returns a required field.
    static func required(_ name: String, _ value: Value, absence: HARFinding.Severity = .error) -> HARField {
        HARField(name: name, value: value, absence: absence, isNew: false)
    }

    /// Returns an optional field.
    static func optional(_ name: String, _ value: Value, isNew: Bool = false) -> HARField {
        HARField(name: name, value: value, absence: nil, isNew: isNew)
    }
}

extension HARField {
    /// The JSON type of the value with an indefinite article, for messages.
    package var type: String {
        switch value {
        case .text, .date, .url, .httpVersion: "a string"
        case .boolean: "a boolean"
        case .number, .status, .size, .time, .optionalTime: "a number"
        case .object: "an object"
        case .array: "an array"
        }
    }

    /// Returns whether all values of a JSON type are valid.
    @inline(__always)
    func acceptsAll(_ kind: JSONToken.Kind) -> Bool {
        switch (value, kind) {
        case (.text, .string), (.boolean, .true), (.boolean, .false), (.number, .number): true
        default: false
        }
    }

    /// The rule that a missing or null value violates.
    var absenceRule: HARFinding.Rule {
        switch value {
        case .size: .unknownSize
        case .time: .unknownTime
        case .httpVersion: .unknownHTTPVersion
        default: .missingField
        }
    }
}

/// A kind of object that HAR 1.2 defines.
///
/// Source: http://www.softwareishard.com/blog/har-12-spec/
package enum HARObjectKind: Int, CaseIterable {
    case log, creator, page, pageTimings, entry, request, response, cookie, header, queryParameter, postData
    case parameter, content, cache, cacheState, timings

    /// The description of the kind, for use in a sentence.
    package var title: String {
        switch self {
        case .entry: "an entry"
        case .queryParameter: "a parameter of `queryString`"
        case .parameter: "a parameter of `params`"
        case .cacheState: "a cache state"
        case .log, .content, .cache, .timings, .pageTimings, .postData: "`\(self)`"
        case .creator, .page, .request, .response, .cookie, .header: "a \(self)"
        }
    }

    /// The fields, for lookup by name.
    package var table: HARFieldTable { Self.tables[rawValue] }

    private static let tables = allCases.map { HARFieldTable($0.fields) }
}

/// The fields of a kind of object, which are identified by their indices.
///
/// It is a class, because threads that check entries retain it for every object, and would retain several arrays instead.
package final class HARFieldTable: Sendable {
    /// The fields, in the order of the specification.
    package let fields: [HARField]

    /// The indices of the required fields, as a bit mask.
    package let required: UInt32

    private let names: JSONNameList

    /// Creates a table of at most 32 fields.
    init(_ fields: [HARField]) {
        self.fields = fields
        names = JSONNameList(fields.map(\.name))
        required = fields.indices.reduce(0) { $0 | (fields[$1].absence == nil ? 0 : 1 << UInt32($1)) }
    }

    /// Returns the index of the field whose name is a key, or nil if the name is unknown.
    package func index(of key: JSONNode) -> Int? { index(ofKey: key.index, in: key.source) }

    /// Returns the index of the field whose name is the key at an index, or nil if the name is unknown.
    func index(ofKey key: Int, in source: JSONSource) -> Int? {
        source.index(ofKey: key, in: names)
    }

    /// Returns the field with the given name, or nil if the name is unknown.
    package func field(named name: String) -> HARField? { fields.first { $0.name == name } }

    /// Returns the fields that are in a bit mask of indices, in the order of the specification.
    package func fields(in mask: UInt32) -> [HARField] {
        fields.indices.filter { mask >> UInt32($0) & 1 == 1 }.map { fields[$0] }
    }
}

extension HARObjectKind {
    /// The fields of the kind, in the order of the specification.
    var fields: [HARField] { ownFields + [.optional("comment", .text, isNew: true)] }

    private var ownFields: [HARField] {
        switch self {
        case .log:
            [
                .required("version", .text, absence: .warning), .required("creator", .object(.creator)),
                .optional("browser", .object(.creator)), .optional("pages", .array(of: .page)),
                .required("entries", .array(of: .entry)),
            ]
        case .creator:
            [.required("name", .text, absence: .warning), .required("version", .text, absence: .warning)]
        case .page:
            [
                .required("startedDateTime", .date, absence: .warning), .required("id", .text, absence: .warning),
                .required("title", .text, absence: .warning),
                .required("pageTimings", .object(.pageTimings), absence: .warning),
            ]
        case .pageTimings:
            [.optional("onContentLoad", .optionalTime), .optional("onLoad", .optionalTime)]
        case .entry:
            [
                .optional("pageref", .text), .required("startedDateTime", .date),
                .required("time", .time, absence: .warning), .required("request", .object(.request)),
                .required("response", .object(.response)), .required("cache", .object(.cache), absence: .warning),
                .required("timings", .object(.timings), absence: .warning),
                .optional("serverIPAddress", .text, isNew: true), .optional("connection", .text, isNew: true),
            ]
        case .request:
            [
                .required("method", .text), .required("url", .url),
                .required("httpVersion", .httpVersion, absence: .note), .required("cookies", .array(of: .cookie)),
                .required("headers", .array(of: .header)), .required("queryString", .array(of: .queryParameter)),
                .optional("postData", .object(.postData)), .required("headersSize", .size, absence: .warning),
                .required("bodySize", .size, absence: .warning),
            ]
        case .response:
            [
                .required("status", .status), .required("statusText", .text),
                .required("httpVersion", .httpVersion, absence: .note), .required("cookies", .array(of: .cookie)),
                .required("headers", .array(of: .header)), .required("content", .object(.content)),
                .required("redirectURL", .text), .required("headersSize", .size, absence: .warning),
                .required("bodySize", .size, absence: .warning),
            ]
        case .cookie:
            [
                .required("name", .text), .required("value", .text), .optional("path", .text),
                .optional("domain", .text), .optional("expires", .date), .optional("httpOnly", .boolean),
                .optional("secure", .boolean, isNew: true),
            ]
        case .header, .queryParameter:
            [.required("name", .text), .required("value", .text)]
        case .postData:
            [
                .required("mimeType", .text, absence: .note), .optional("params", .array(of: .parameter)),
                .optional("text", .text),
            ]
        case .parameter:
            [
                .required("name", .text), .optional("value", .text), .optional("fileName", .text),
                .optional("contentType", .text),
            ]
        case .content:
            [
                .required("size", .size, absence: .warning), .optional("compression", .number),
                .required("mimeType", .text, absence: .note), .optional("text", .text),
                .optional("encoding", .text, isNew: true),
            ]
        case .cache:
            [.optional("beforeRequest", .object(.cacheState)), .optional("afterRequest", .object(.cacheState))]
        case .cacheState:
            [
                .optional("expires", .text), .required("lastAccess", .text, absence: .warning),
                .required("eTag", .text, absence: .warning), .required("hitCount", .number, absence: .warning),
            ]
        case .timings:
            [
                .optional("blocked", .optionalTime), .optional("dns", .optionalTime),
                .optional("connect", .optionalTime), .required("send", .time, absence: .warning),
                .required("wait", .time, absence: .warning), .required("receive", .time, absence: .warning),
                .optional("ssl", .optionalTime, isNew: true),
            ]
        }
    }
}
