import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONEditorRandomTests {
    /// Calls `body` with random documents in every layout.
    private func forEachDocument(
        seed: UInt64, _ body: (inout RandomJSON, String, JSONValue) throws -> Void
    ) throws {
        var random = RandomJSON(seed: seed)
        for round in 0..<Cases.count(60, orAll: 200) {
            let layout = RandomJSON.Layout.allCases[round % 4]
            let text = random.document(layout)
            try body(&random, text, try JSONValue(parsing: text))
        }
    }

    /// Returns a pointer to an existing value, sometimes with an additional component.
    private func pointer(in value: JSONValue, _ random: inout RandomJSON) -> JSONPointer {
        let pointer = random.pick(random.pointers(in: value))
        return random.number(0..<3) == 0 ? pointer.appending(random.pick(["a", "new", "0", "1", "-", "x~/"])) : pointer
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `changing text has the same result as changing the value`(seed: UInt64) throws {
        try forEachDocument(seed: seed) { random, text, value in
            var editor = try JSONEditor(Data(text.utf8))
            var value = value
            for _ in 0..<6 {
                let pointer = pointer(in: value, &random)
                let new = try JSONValue(parsing: random.document(depth: 2, .ragged))
                let change = random.pick([ValueTree.Change.set(new), .insert(new), .remove])
                let expected = ValueTree.changing(value, at: pointer.components[...], change)
                let exists = expected.map { _ in true } ?? false
                do throws(HARError) {
                    switch change {
                    case .set: try editor.set(new, at: pointer)
                    case .insert: try editor.apply(JSONPatch([operation("add", pointer, new)]))
                    case .remove: try editor.remove(at: pointer)
                    }
                    #expect(exists, "\(change) at \(pointer) in \(text)")
                } catch {
                    #expect(!exists, "\(error) in \(text)")
                }
                value = expected ?? value
                #expect(try JSONValue(parsing: editor.text) == value)
                #expect(try JSONEditor(editor.text).text == editor.text)
            }
        }
    }

    private func operation(_ name: JSONString, _ pointer: JSONPointer, _ value: JSONValue) -> JSONValue {
        ["op": .string(name), "path": .string(JSONString(pointer.description)), "value": value]
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a change preserves the bytes before and after it`(seed: UInt64) throws {
        try forEachDocument(seed: 100 + seed) { random, text, value in
            let bytes = Array(text.utf8)
            let pointer = random.pick(random.pointers(in: value))
            guard let range = try reference(of: pointer, in: bytes)?.range else { return }
            var editor = try JSONEditor(Data(bytes))
            try editor.set("new", at: pointer)
            let expected = Data(bytes[..<range.lowerBound]) + Data("\"new\"".utf8) + Data(bytes[range.upperBound...])
            #expect(editor.text == expected)

            guard !pointer.components.isEmpty else { return }
            editor = try JSONEditor(Data(bytes))
            try editor.remove(at: pointer)
            #expect(isCut(Array(editor.text), of: bytes), "\(pointer) of \(text)")
            let parent = JSONPointer(pointer.components.dropLast())
            let name = random.pick(["-", "0"])
            guard let container = try reference(of: parent, in: bytes), container[name] == nil else { return }
            editor = try JSONEditor(Data(bytes))
            try editor.apply(JSONPatch([operation("add", parent.appending(name), 7)]))
            #expect(isCut(bytes, of: Array(editor.text)), "\(parent) of \(text)")
        }
    }

    /// Returns whether `short` is `long` without one of its ranges.
    private func isCut(_ short: [UInt8], of long: [UInt8]) -> Bool {
        let start = zip(short, long).prefix { $0 == $1 }.count
        let end = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
        return short.count < long.count && start + end >= short.count
    }

    /// Returns the reference parser's value at a pointer.
    private func reference(of pointer: JSONPointer, in bytes: [UInt8]) throws -> ReferenceJSON? {
        try pointer.components.reduce(ReferenceJSON?.some(ReferenceJSON(parsing: bytes))) { value, name in
            value?[name] ?? Int(name).flatMap { value?.elements[$0] }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `replacing and merging members has the same result in text as in a value`(seed: UInt64) throws {
        try forEachDocument(seed: 200 + seed) { random, text, value in
            let values: [String: JSONValue] = [
                random.pick(["a", "é", "", "ab"]): ["a": [1]], random.pick(["b", "0"]): 2,
            ]
            var editor = try JSONEditor(Data(text.utf8))
            editor.replaceMembers(values)
            let replaced = ValueTree.replacingMembers(values, in: value)
            #expect(try JSONValue(parsing: editor.text) == replaced)
            if replaced == value { #expect(editor.text == Data(text.utf8)) }

            let patch = try JSONValue(parsing: random.document(.compact))
            editor = try JSONEditor(Data(text.utf8))
            editor.merge(patch)
            #expect(
                try JSONValue(parsing: editor.text).canonicalText()
                    == ValueTree.merging(patch, into: value).canonicalText())
            editor = try JSONEditor(Data(text.utf8))
            editor.merge([:])
            if value.object != nil { #expect(editor.text == Data(text.utf8)) }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `two values have the same canonical text if and only if they have no differences`(seed: UInt64) throws {
        try forEachDocument(seed: 300 + seed) { random, text, value in
            let pointer = random.pick(random.pointers(in: value))
            var editor = try JSONEditor(Data(text.utf8))
            try editor.set(try JSONValue(parsing: random.document(depth: 1, .ragged)), at: pointer)
            let other = try JSONValue(parsing: editor.text)
            for ignored in [[], [pointer], [JSONPointer(["*"])], [JSONPointer(["*", "*"])], [JSONPointer(["0"])]] {
                let differences = value.differences(from: other, ignoring: ignored)
                let isSame = value.canonicalText(ignoring: ignored) == other.canonicalText(ignoring: ignored)
                #expect(differences.isEmpty == isSame, "\(text) and \(other)")
            }
            #expect(value.differences(from: other, ignoring: [pointer]).isEmpty)
            #expect(try JSONValue(parsing: value.data(layout: .pretty)).canonicalText() == value.canonicalText())
        }
    }
}
