#if Server
    import ArgumentParser
    import RelayCore

    /// The rules for selecting entries that the command line can name.
    enum Matching: String, ExpressibleByArgument, CaseIterable {
        case standard, strict, loose, anyHost, anyQuery, methodURLAndBody, graphQL, recordedOrder

        /// The rules.
        var rules: RequestMatching {
            switch self {
            case .standard: .standard
            case .strict: .strict
            case .loose: .loose
            case .anyHost: .anyHost
            case .anyQuery: .anyQuery
            case .methodURLAndBody: .methodURLAndBody
            case .graphQL: .graphQL
            case .recordedOrder: .recordedOrder
            }
        }
    }
#endif
