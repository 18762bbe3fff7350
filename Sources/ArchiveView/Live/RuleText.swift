import ArchiveInspection
import Foundation
import HTTPArchive

/// The text of a rule that has the form of a rule file.
struct RuleText {
    private let rule: JSONValue

    init(_ rule: JSONValue) { self.rule = rule }

    /// A short description, such as `stub GET api.example.com/items`.
    var summary: String {
        if let route = rule["route"] {
            return "route \(route["from"]?.text ?? "") to \(route["to"]?.text ?? "")"
        }
        let effect = ["stub", "override", "replay", "fail"].first { rule[$0] != nil } ?? "rule"
        return "\(effect) \(rule["request"].map(Self.plain) ?? "any request")"
    }

    private static func plain(_ value: JSONValue) -> String {
        value.text ?? String(decoding: value.data(layout: .compact), as: UTF8.self)
    }

    // MARK: Swift

    /// The rule as Swift code, or a comment if only a rule file can express it.
    var swift: String {
        guard let call else {
            let text = String(decoding: rule.data(layout: .compact), as: UTF8.self)
            return "// Not expressible as a single call: \(text.replacing("\n", with: " "))"
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
        var status = "200"
        var headers: [(String, String)] = []
        var body: String?
        var delay = ""
        for member in stub.members {
            switch (member.name.text, member.value) {
            case ("status", let value): status = plain(value)
            case ("headers", .object(let object)): headers += object.members.map { ($0.name.text, plain($0.value)) }
            case ("text", let value):
                headers.append(("Content-Type", "text/plain; charset=utf-8"))
                body = "Data(\(literal(plain(value))).utf8)"
            case ("json", let value):
                headers.append(("Content-Type", "application/json"))
                body = "Data(\(literal(String(decoding: value.data(layout: .compact), as: UTF8.self))).utf8)"
            case ("failure", let value): return ".failure(.\(plain(value)))"
            case ("delay", let value):
                guard let duration = duration(value) else { return nil }
                delay = ".delayed(by: \(duration))"
            default: return nil
            }
        }
        // The user wrote the first field of a name.
        var seen: Set<String> = []
        headers = headers.filter { seen.insert($0.0.lowercased()).inserted }
        let fields = headers.map { "HeaderField(name: \(literal($0.0)), value: \(literal($0.1)))" }
        let list = fields.isEmpty ? "" : ", headers: [\(fields.joined(separator: ", "))]"
        guard let body else { return ".status(\(status)\(list))\(delay)" }
        return ".response(InterceptedResponse(url: \"\", status: \(status)\(list), body: \(body)))\(delay)"
    }

    private static func change(_ name: String, _ value: JSONValue) -> String? {
        switch (name, value) {
        case ("status", _): return ".status(\(plain(value)))"
        case ("headers", .object(let object)):
            return object.members.map { field in
                field.value == .null
                    ? ".removingHeader(\(literal(field.name.text)))"
                    : ".header(\(literal(field.name.text)), \(literal(plain(field.value))))"
            }.joined(separator: ", ")
        case ("set", .object(let object)):
            return object.members.map { member in
                "try .json(at: \(literal(member.name.text)), \(code(member.value)))"
            }.joined(separator: ", ")
        case ("text", _): return ".text(\(literal(plain(value))))"
        case ("json", _): return ".jsonValue(\(code(value)))"
        case ("delay", _): return duration(value).map { ".delay(\($0))" }
        case ("failure", _): return ".failure(.\(plain(value)))"
        default: return nil
        }
    }

    /// Returns a JSON value as the literal of a `JSONValue`.
    private static func code(_ value: JSONValue) -> String {
        switch value {
        case .null: "nil"
        case .string(let text): literal(text.text)
        case .array(let elements): "[\(elements.map(code).joined(separator: ", "))]"
        case .object(let object):
            object.members.isEmpty
                ? "[:]"
                : "[\(object.members.map { "\(literal($0.name.text)): \(code($0.value))" }.joined(separator: ", "))]"
        case .bool, .number: plain(value)
        }
    }

    private static func duration(_ value: JSONValue) -> String? {
        guard let match = plain(value).wholeMatch(of: /(\d+(?:\.\d+)?) ?(ms|s)/) else { return nil }
        return match.2 == "ms" ? ".milliseconds(\(match.1))" : ".seconds(\(match.1))"
    }

    private static func literal(_ text: String) -> String { SwiftExporter.literal(text) }
}
