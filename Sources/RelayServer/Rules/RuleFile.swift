#if Server
    public import Foundation
    import HTTPArchive
    public import RelayCore
    import YAMLDocuments
    import Yams

    /// The rules in a YAML or JSON file.
    ///
    /// ```yaml
    /// rules:
    ///   - request: GET api.example.com/items
    ///     stub: { status: 503, headers: { Retry-After: 1 } }
    ///     times: 1
    ///   - request: { url: "api.example.com/**", headers: { Authorization: null } }
    ///     stub: { status: 401, json: { error: unauthorized } }
    ///   - request: api.example.com/user
    ///     override: { set: { /name: Grace }, delay: 250ms }
    ///   - route: { from: staging.example.com, to: "https://api.example.com" }
    /// ```
    ///
    /// As with rules in Swift, later rules take precedence over earlier ones.
    public struct RuleFile: Sendable {
        /// The rules for requests, in the order of the file.
        public let rules: [Rule]

        /// The rules for WebSocket connections, in the order of the file.
        public let webSocketRules: [WebSocketRule]

        /// The maximum size of a rule file, in bytes.
        private static let sizeLimit = 10_000_000

        /// The keys that select the effect of a rule.
        private static let effects = ["stub", "override", "route", "replay", "fail", "webSocket"]

        /// Reads a file.
        ///
        /// - Parameters:
        ///   - url: The file. Body files are relative to its folder.
        ///   - allowsAnyBodyFile: Whether body files can be outside this folder, hidden files or symbolic links; `false` by
        ///     default.
        /// - Throws: `invalidRule` if the file cannot be read, is larger than 10 MB, or is invalid, with line and column.
        public init(contentsOf url: URL, allowsAnyBodyFile: Bool = false) throws(RelayError) {
            let place = HARError.Context(file: url.relativePath)
            guard let data = try? FileHandle(forReadingFrom: url).read(upToCount: Self.sizeLimit + 1) ?? Data() else {
                throw RelayError(.invalidRule, "The rule file cannot be read. Check the path.", at: place)
            }
            guard data.count <= Self.sizeLimit else {
                throw RelayError(
                    .invalidRule, "The rule file is larger than \(Self.sizeLimit) bytes. Split the file.", at: place)
            }
            try self.init(data, of: url, allowsAnyBodyFile: allowsAnyBodyFile)
        }

        /// Parses the content of a file.
        ///
        /// - Parameters:
        ///   - data: The content.
        ///   - url: The file, for body files and messages.
        ///   - allowsAnyBodyFile: Whether body files can be outside the folder of the file; `false` by default.
        /// - Throws: `invalidRule` if the content is invalid.
        package init(_ data: Data, of url: URL, allowsAnyBodyFile: Bool = false) throws(RelayError) {
            let file = RuleFileValue.File(url: url, allowsAnyBodyFile: allowsAnyBodyFile)
            let values = try Self.rules(
                RuleFileValue(node: Self.node(of: data, url), file: file, title: "the rule file"))
            rules = values.compactMap { if case .request(let rule) = $0 { rule } else { nil } }
            webSocketRules = values.compactMap { if case .webSocket(let rule) = $0 { rule } else { nil } }
        }

        private static func node(of data: Data, _ url: URL) throws(RelayError) -> Node {
            do throws(HARError) {
                if let node = try YAMLDocument.node(of: data) { return node }
                throw HARError(.invalidRule, "it is empty; add the key 'rules' with a list of rules")
            } catch {
                var place = error.context
                place.file = url.relativePath
                throw RelayError(
                    .invalidRule, "The rule file is not valid: \(error.message).", at: place, underlying: error)
            }
        }

        private enum ParsedRule {
            case request(Rule)
            case webSocket(WebSocketRule)
        }

        private static func rules(_ root: RuleFileValue) throws(RelayError) -> [ParsedRule] {
            let members = try root.members(among: ["rules"], "a mapping with the key 'rules'")
            guard let list = members.first?.value else { throw root.error("The key 'rules' is missing. Add it.") }
            return try list.list("a list of rules").map { element throws(RelayError) in try rule(element) }
        }

        private static func rule(_ value: RuleFileValue) throws(RelayError) -> ParsedRule {
            let value = RuleFileValue(node: value.node, file: value.file, title: "the rule")
            let members = try value.members(among: ["request", "times"] + effects, "a mapping")
            let found = members.filter { effects.contains($0.key) }
            guard let effect = found.first, found.count == 1 else {
                let names = effects.joined(separator: ", ")
                let problem = found.isEmpty ? "no effect" : "\(found.count) effects"
                throw value.error("The rule has \(problem). Set exactly one of \(names).")
            }
            let request = members.first { $0.key == "request" }?.value
            let pattern = try request?.pattern()
            if effect.key == "route", let request {
                throw request.error("A route selects requests with 'from'. Remove 'request'.")
            }
            let times = members.first { $0.key == "times" }?.value
            if effect.key == "webSocket" {
                if let times { throw times.error("A rule for WebSocket connections always applies. Remove 'times'.") }
                return .webSocket(try effect.value.webSocketRule(for: pattern ?? .any))
            }
            let rule = try Self.rule(effect.key, effect.value, for: pattern ?? .any)
            guard let times else { return .request(rule) }
            return .request(rule.times(try times.number(1...Int.max, "a positive number")))
        }

        private static func rule(
            _ effect: String, _ value: RuleFileValue, for pattern: RequestPattern
        ) throws(RelayError) -> Rule {
            switch effect {
            case "stub": return .stub(pattern, inOrder: try value.replies())
            case "override": return .override(pattern, try value.overrides())
            case "replay":
                try value.confirm()
                return .replay(pattern)
            case "fail":
                try value.confirm()
                return .fail(pattern)
            default:
                var ends: [String: String] = [:]
                for (key, end) in try value.members(among: ["from", "to"], "a mapping with 'from' and 'to'") {
                    ends[key] = try end.text("a URL")
                }
                guard let from = ends["from"], let to = ends["to"] else {
                    throw value.error("A route needs 'from' and 'to', such as https://api.example.com.")
                }
                return try value.locating { try .reroute(from, to: to) }
            }
        }
    }
#endif
