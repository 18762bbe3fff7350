package import RelayCore

/// The rules for selecting entries that the command line and the page of `har view` can name.
package enum MatchingName: String, CaseIterable, Sendable {
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
