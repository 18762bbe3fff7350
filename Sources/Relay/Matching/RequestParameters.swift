import Foundation
import HTTPArchive

/// What a request sends under names, wherever it stands: items of the query and of a form, members of a JSON object.
struct RequestParameters {
    /// The values of each name as texts, sorted; numbers as they are written, what has a structure as JSON in one form.
    let values: [String: [String]]

    /// Reads the parameters of a request.
    ///
    /// - Complexity: O(*n* log *n*) in the size of its query and its body.
    init(_ request: ComparedRequest) {
        var values = FormItems(Data((request.url.query ?? "").utf8)).values
        switch BodyRule.byType.content(of: request) {
        case .form(let items, _): values.merge(items.values, uniquingKeysWith: +)
        case .json(let value, _):
            for member in value.object?.members ?? [] {
                values[member.name.text, default: []].append(Self.text(member.value))
            }
        default: break
        }
        self.values = values.mapValues { $0.sorted() }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): string.text
        case .number(let number): number.text
        default: String(decoding: value.canonicalText(), as: UTF8.self)
        }
    }
}

extension RequestMatcher {
    /// What the recorded request sends under names: items of its query or of a form, members of a JSON object.
    ///
    /// A request has to send all of it with the same values, no matter in which of these places; whatever it sends besides
    /// does not count. So a recorded request that sends nothing answers every one.
    public static let recordedParameters = RequestMatcher(
        "parameters", Equivalence(),
        tests: [
            { asked, recorded in
                let asked = RequestParameters(asked).values
                let missing = RequestParameters(recorded).values.filter { asked[$0.key] != $0.value }
                return MatchVerdict(
                    differences: missing.keys.sorted().map { name in
                        MatchDifference("parameter", recorded: name, asked: asked[name].map { _ in name })
                    })
            }
        ])
}
