import ArchiveInspection
import HTTPArchive
import RelayCore

/// The responses of the API for live traffic.
extension LiveTraffic {
    /// Returns the response to a request of the page, or nil if the path does not concern live traffic.
    func response(to request: ViewRequest, _ path: Substring) async throws -> Reply? {
        switch (path, request.isPost) {
        case ("changes", false):
            await wait(after: try request.number("after") ?? 0)
            return .jsonValue(json)
        case ("hold", true):
            let pattern = request.text("pattern")
            hold(pattern.isEmpty ? nil : pattern)
        case ("resume", true): try resume(request)
        case ("rules", true):
            guard let rule = request.body["rule"] else { throw ViewError(400, "The member 'rule' is missing.") }
            return .jsonValue(["id": .integer(try addRule(rule))])
        case ("rules/remove", true): try removeRule(try request.number("id") ?? -1)
        case ("rules", false): return .text(rulesText(asSwift: request.text("as") == "swift"))
        case ("clear", true): removeAll()
        case ("exchanges", true):
            guard let fields = request.body.object, fields["request"]?.object != nil else {
                throw ViewError(400, "Expected an entry of an HTTP archive, with 'request' and 'response'.")
            }
            append(HAR.Entry(fields: fields))
        default: return nil
        }
        return .jsonValue([:])
    }

    /// Returns the added rules as Swift code, or as a rule file.
    private func rulesText(asSwift isSwift: Bool) -> String {
        let rules = addedRules.map(\.value)
        guard isSwift else {
            // JSON is also YAML.
            return String(decoding: JSONValue.object(["rules": .array(rules)]).data(layout: .pretty), as: UTF8.self)
        }
        let lines = rules.map { "    " + RuleText($0).swift + "\n" }.joined()
        return """
            import Foundation
            import Relay

            /// Adds the rules of a session to an interceptor.
            func addRules(to interceptor: Interceptor) throws {
            \(lines)}

            """
    }
}
