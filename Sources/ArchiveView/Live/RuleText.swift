import ArchiveInspection
import HTTPArchive

/// The text of a rule that has the form of a rule file.
struct RuleText {
    private let rule: JSONValue

    init(_ rule: JSONValue) { self.rule = rule }

    private static func plain(_ value: JSONValue) -> String {
        value.text ?? String(decoding: value.data(layout: .compact), as: UTF8.self)
    }

    /// The rule as Swift code, or a comment if only a rule file can express it.
    var swift: String {
        guard let call else {
            return "// Not expressible as a single call: \(Self.plain(rule).replacing("\n", with: " "))"
        }
        let times = rule["times"]?.int.map { ".times(\($0))" } ?? ""
        return "interceptor.add(\(call)\(times))"
    }

    private var call: String? {
        if let route = rule["route"], let from = route["from"]?.text, let to = route["to"]?.text {
            return "try Rule.reroute(\(Self.literal(from)), to: \(Self.literal(to)))"
        }
        guard let pattern = rule["request"].map({ $0.text.map(Self.pattern) }) ?? ".any" else { return nil }
        if let stub = rule["stub"]?.object {
            return Self.stub(stub).map { "Rule.stub(\(pattern), \($0))" }
        }
        if let override = rule["override"]?.object {
            let changes = override.members.map { Self.change($0.name.text, $0.value) }
            guard !changes.isEmpty, !changes.contains(nil) else { return nil }
            return "Rule.override(\(pattern), \(changes.compactMap { $0 }.joined(separator: ", ")))"
        }
        for effect in ["replay", "fail"] where rule[effect] != nil { return "Rule.\(effect)(\(pattern))" }
        return nil
    }

    private static func pattern(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 1).map { literal(String($0)) }
        return words.count == 2 ? ".method(\(words[0])).and(.url(\(words[1])))" : ".url(\(literal(text)))"
    }

    private static func stub(_ stub: JSONObject) -> String? {
        let names = ["status", "headers", "text", "json", "failure", "delay"]
        guard stub.members.allSatisfy({ names.contains($0.name.text) }) else { return nil }
        if let failure = stub["failure"] { return ".failure(.\(plain(failure)))" }
        let fields = members(stub["headers"]).flatMap { name, value in
            (value.array ?? [value]).map { "HeaderField(name: \(name), value: \(literal(plain($0))))" }
        }
        let headers = fields.isEmpty ? "" : ", headers: [\(fields.joined(separator: ", "))]"
        let body =
            stub["text"].map { ".text(\(literal(plain($0))), status: " }
            ?? stub["json"].map { ".jsonValue(\(code($0)), status: " } ?? ".status("
        let response = body + (stub["status"].map(plain) ?? "200") + headers + ")"
        guard let delay = stub["delay"] else { return response }
        return duration(delay).map { "\(response).delayed(by: \($0))" }
    }

    /// Returns the names, as literals, and the values of the members of an object.
    private static func members(_ value: JSONValue?) -> [(name: String, value: JSONValue)] {
        value?.object?.members.map { (literal($0.name.text), $0.value) } ?? []
    }

    private static func change(_ name: String, _ value: JSONValue) -> String? {
        switch name {
        case "status": return ".status(\(plain(value)))"
        case "headers":
            return members(value).map { name, value in
                value == .null ? ".removingHeader(\(name))" : ".header(\(name), \(literal(plain(value))))"
            }.joined(separator: ", ")
        case "set": return members(value).map { "try .json(at: \($0), \(code($1)))" }.joined(separator: ", ")
        case "text": return ".text(\(literal(plain(value))))"
        case "json": return ".jsonValue(\(code(value)))"
        case "delay": return duration(value).map { ".delay(\($0))" }
        case "failure": return ".failure(.\(plain(value)))"
        default: return nil
        }
    }

    /// Returns a JSON value as the literal of a `JSONValue`.
    private static func code(_ value: JSONValue) -> String {
        switch value {
        case .null: "nil"
        case .string(let text): literal(text.text)
        case .array(let elements): "[\(elements.map(code).joined(separator: ", "))]"
        case .object(let object) where object.members.isEmpty: "[:]"
        case .object: "[\(members(value).map { "\($0): \(code($1))" }.joined(separator: ", "))]"
        case .bool, .number: plain(value)
        }
    }

    private static func duration(_ value: JSONValue) -> String? {
        guard let match = plain(value).wholeMatch(of: /(\d+(?:\.\d+)?) ?(ms|s)/) else { return nil }
        return match.2 == "ms" ? ".milliseconds(\(match.1))" : ".seconds(\(match.1))"
    }

    private static func literal(_ text: String) -> String { SwiftExporter.literal(text) }
}
