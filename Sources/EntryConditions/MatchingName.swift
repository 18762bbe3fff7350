import ArgumentParser
package import RelayCore

/// The rules for selecting entries, as a command-line argument and in the page of `har view`.
package enum MatchingName: String, CaseIterable, ExpressibleByArgument, Sendable {
    case standard, strict, loose, anyHost, anyQuery, methodURLAndBody, graphQL, languageModel, recordedOrder

    /// The rules.
    package var rules: RequestMatching {
        switch self {
        case .standard: .standard
        case .strict: .strict
        case .loose: .loose
        case .anyHost: .anyHost
        case .anyQuery: .anyQuery
        case .methodURLAndBody: .methodURLAndBody
        case .graphQL: .graphQL
        case .languageModel: .languageModel
        case .recordedOrder: .recordedOrder
        }
    }
}
