@testable import ArchiveChecking
import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct HARCheckerTypeTests {
    /// Values that do not occur in the sample, so their text identifies their location.
    private static let wrongValues: [JSONValue] = ["WRONG", 987_654, true, ["WRONG"], ["_wrong": 1]]

    @Test(arguments: wrongValues)
    func `a value of the wrong type in any field is reported with a location, and the entry is still read`(
        wrong: JSONValue
    ) throws {
        let variants = Self.variants(of: .log, wrong)
        #expect(variants.count > 40)
        for (log, path) in variants {
            let pointer = JSONPointer(["log"] + path)
            let document: JSONValue = ["log": log]
            let data = document.data()
            if pointer.description != "/log/entries" {
                let reader = HARReader(data: data)
                #expect(try reader.nextEntry() != nil, "\(pointer)")
            }
            var findings: [HARFinding] = []
            try HARChecker.check(HARReader(data: data)) { findings.append($0) }
            let found = findings.filter { $0.rule == .wrongType && $0.pointer == pointer && $0.severity == .error }
            let offset = try #require(data.range(of: wrong.data())).lowerBound
            #expect(found.map(\.byteOffset) == [offset], "\(pointer)")
        }
    }

    @Test func `every field of the specification is valid`() throws {
        let document: JSONValue = ["log": Self.sample(of: .log)]
        var findings: [HARFinding] = []
        try HARChecker.check(HARReader(data: document.data())) { findings.append($0) }
        // According to the specification, `params` and `text` are mutually exclusive, and a request body has no encoding.
        #expect(findings.filter { ![.paramsAndText, .unmarkedBase64].contains($0.rule) } == [])
    }

    /// Returns an object with every field of the specification.
    private static func sample(of kind: HARObjectKind) -> JSONValue {
        .object(
            JSONObject(members: kind.fields.map { .init(name: JSONString($0.name), value: sample(of: $0)) }))
    }

    private static func sample(of field: HARField) -> JSONValue {
        switch field.value {
        case .text where field.name == "version": "1.2"
        case .text where field.name == "redirectURL": "/next"
        case .text where field.name == "encoding": "base64"
        case .text where field.name == "text": "YWJj"
        case .text: "x"
        case .boolean: false
        case .number, .time, .optionalTime, .size: 3
        case .date: "2024-05-01T10:00:00.123Z"
        case .url: "http://example.org/?x=x"
        case .httpVersion: "h2"
        case .status: 301
        case .object(let kind): sample(of: kind)
        case .array(let kind): [sample(of: kind)]
        }
    }

    /// Returns a variant of the sample for each field at any depth.
    ///
    /// Each variant has a value of the wrong type in one field, and is returned with the field's path.
    private static func variants(of kind: HARObjectKind, _ wrong: JSONValue) -> [(value: JSONValue, path: [String])] {
        guard let object = sample(of: kind).object else { return [] }
        return kind.fields.flatMap { field -> [(value: JSONValue, path: [String])] in
            var values: [(value: JSONValue, path: [String])] = field.accepts(wrong) ? [] : [(wrong, [])]
            switch field.value {
            case .object(let kind): values += variants(of: kind, wrong)
            case .array(let kind): values += variants(of: kind, wrong).map { ([$0.value], ["0"] + $0.path) }
            default: break
            }
            return values.map { value, path in
                var changed = object
                changed[field.name] = value
                return (.object(changed), [field.name] + path)
            }
        }
    }
}

extension HARField {
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .bool: type == "a boolean"
        case .number: type == "a number"
        case .string: type == "a string"
        case .array: type == "an array"
        case .object: type == "an object"
        }
    }
}
