import PlantedSecrets

@testable import HTTPArchive

/// A generator of random JSON documents in every layout, and of pointers into them.
struct RandomJSON {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The use of whitespace in a document.
    enum Layout: CaseIterable { case compact, spaced, indented, ragged }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }

    /// Returns the text of a document without duplicate names.
    mutating func document(depth: Int = 4, _ layout: Layout) -> String {
        let edge = layout == .ragged ? space(layout, level: 0) : ""
        return edge + value(depth: depth, level: 0, layout) + edge
    }

    /// Returns the text of a value.
    private mutating func value(depth: Int, level: Int, _ layout: Layout) -> String {
        let kind = depth == 0 ? 0 : number(0..<(level == 0 ? 6 : 8))
        guard kind < 6, depth > 0 else { return scalar() }
        let isObject = kind < 3
        let count = number(0..<5)
        let names = ["a", "b", "é", "", "a/b", "m~n", "0", "1", "-", "q\\\"", "\\u0061b"].shuffled(using: &generator)
        let items = (0..<count).map { index in
            let colon = layout == .compact ? ":" : layout == .ragged ? " \t:\n" : ": "
            let head = isObject ? "\"\(names[index])\"" + colon : ""
            return head + value(depth: depth - 1, level: level + 1, layout)
        }
        let (open, close) = isObject ? ("{", "}") : ("[", "]")
        guard !items.isEmpty else { return open + (layout == .ragged ? space(layout, level: level) : "") + close }
        var text = open + (layout == .spaced ? "" : space(layout, level: level + 1))
        for (index, item) in items.enumerated() {
            if index > 0 {
                text += (layout == .ragged ? space(layout, level: 0) : "") + "," + space(layout, level: level + 1)
            }
            text += item
        }
        return text + (layout == .spaced ? "" : space(layout, level: level)) + close
    }

    private mutating func space(_ layout: Layout, level: Int) -> String {
        switch layout {
        case .compact: ""
        case .spaced: " "
        case .indented: "\n" + String(repeating: "  ", count: level)
        case .ragged: pick(["", " ", "\t", "\r\n", "  \n "])
        }
    }

    private mutating func scalar() -> String {
        pick([
            "null", "true", "false", "0", "-0", "1.50", "1E+2", "12345678901234567890123", "\"\"", "\"x\"",
            "\"\\u0041\\/\"",
            "\"é😀\"", "\",]}\\\"\"", "\"\\ud83d\\ude00\"",
        ])
    }

    /// Returns the pointers to a value and to all values inside it.
    func pointers(in value: JSONValue, at pointer: JSONPointer = JSONPointer()) -> [JSONPointer] {
        let children: [(String, JSONValue)] =
            switch value {
            case .array(let elements): elements.enumerated().map { (String($0), $1) }
            case .object(let object): object.members.map { ($0.name.text, $0.value) }
            default: []
            }
        return [pointer] + children.flatMap { pointers(in: $1, at: pointer.appending($0)) }
    }
}
