import FoundationInternals
public import RelayCore

extension Interceptor {
    /// The sessions not created by an interceptor whose requests a scope intercepts.
    ///
    /// Values are equal if they name the same sessions, whatever capabilities are missing.
    public struct Coverage: Hashable, Sendable, CustomStringConvertible {
        /// A private part of the platform that Relay uses and that this process does not have.
        public struct MissingCapability: Hashable, Sendable, CustomStringConvertible {
            /// The name, which `Docs/Architecture.md` explains.
            public let name: String

            /// The reason, as a sentence.
            public let reason: String

            /// The consequence, as a sentence.
            public let effect: String

            /// The name, the reason and the consequence.
            public var description: String { "\(name): \(reason) \(effect)" }
        }

        fileprivate enum Kind { case everySession, sharedSession, noSession }

        fileprivate let kind: Kind

        /// The missing capabilities that are known so far; those that recording needs are known after it begins.
        public fileprivate(set) var missingCapabilities: [MissingCapability] = []

        /// All sessions of the process, with any configuration, created by any code before or in the scope.
        public static let everySession = Self(kind: .everySession)

        /// Only `URLSession.shared`.
        public static let sharedSession = Self(kind: .sharedSession)

        /// No session, because capabilities are missing, so that scopes throw an error.
        public static let noSession = Self(kind: .noSession)

        /// The name, such as `everySession`.
        public var description: String { "\(kind)" }

        /// Whether both name the same sessions.
        public static func == (first: Self, second: Self) -> Bool { first.kind == second.kind }

        /// Adds the sessions to a hash.
        public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
    }

    /// The sessions whose requests a scope intercepts in this process, and the missing capabilities.
    ///
    /// The first access tests the capabilities that scopes need, which takes some milliseconds and no traffic beyond a
    /// closed loopback port. The environment variable `RELAY_INTERPOSITION=off` makes them missing.
    public static var coverage: Coverage {
        var coverage = scopeCoverage
        coverage.missingCapabilities = CapabilityTable.missing.map {
            Coverage.MissingCapability(name: $0.capability.rawValue, reason: $0.reason, effect: $0.capability.effect)
        }
        return coverage
    }

    private static var scopeCoverage: Coverage {
        #if canImport(FoundationNetworking)
            missingForScopes.isEmpty ? .everySession : .noSession
        #else
            .sharedSession
        #endif
    }

    #if canImport(FoundationNetworking)
        fileprivate static var missingForScopes: [MissingCapability] {
            let missing = RelayURLProtocol.missingForEverySession
            return missing.map { [$0] } ?? Internals.session.missingForScopes()
        }
    #endif
}

extension Interceptor.Coverage {
    /// Returns the sessions that a scope intercepts.
    ///
    /// - Parameter interceptor: The interceptor that logs missing capabilities; nil (the default) for no log.
    /// - Returns: The sessions, at least one.
    /// - Throws: `unsupportedPlatform` if it can intercept none.
    static func ofScopes(for interceptor: Interceptor? = nil) throws(RelayError) -> Self {
        #if canImport(FoundationNetworking)
            let missing = Interceptor.missingForScopes
            interceptor?.reportMissingCapabilities()
            guard missing.isEmpty else { throw RelayError("The requests of every session", without: missing) }
            return .everySession
        #else
            return .sharedSession
        #endif
    }

    /// The sessions that compatibility APIs intercept, which cannot throw.
    ///
    /// They promise to intercept `URLSession.shared` alone.
    static var ofCompatibility: Self {
        let coverage = Interceptor.coverage
        return coverage == .noSession ? .sharedSession : coverage
    }
}
