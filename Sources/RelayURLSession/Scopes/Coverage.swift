import Foundation
import FoundationInternals
public import RelayCore
import Synchronization

extension Interceptor {
    /// The sessions in which a scope intercepts requests, apart from sessions created by an interceptor.
    ///
    /// Values are equal if they name the same sessions, regardless of missing capabilities.
    public struct Coverage: Hashable, Sendable, CustomStringConvertible {
        /// A capability of the platform that Relay relies on and that is missing in this process.
        public struct MissingCapability: Hashable, Sendable, CustomStringConvertible {
            /// The name, which is explained in `Docs/Architecture.md`.
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

        /// The missing capabilities that are known so far.
        ///
        /// The capabilities that recording needs are tested when it begins.
        public fileprivate(set) var missingCapabilities: [MissingCapability] = []

        /// All sessions of the process, with any configuration, created by any code before or during the scope.
        public static let everySession = Self(kind: .everySession)

        /// Only `URLSession.shared`.
        public static let sharedSession = Self(kind: .sharedSession)

        /// No session, because capabilities are missing.
        ///
        /// Scopes throw an error.
        public static let noSession = Self(kind: .noSession)

        /// The name, such as `everySession`.
        public var description: String { "\(kind)" }

        /// Whether two values name the same sessions.
        public static func == (first: Self, second: Self) -> Bool { first.kind == second.kind }

        /// Hashes the sessions.
        public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
    }

    /// The sessions in which a scope intercepts requests in this process, and the missing capabilities.
    ///
    /// The first access tests the capabilities that scopes need. The test takes a few milliseconds and connects only to
    /// a closed loopback port. The environment variable `RELAY_INTERPOSITION=off` disables these capabilities.
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
            return missing.map { [$0] } ?? CapabilityProbes.missingForScopes()
        }
    #endif
}

extension Interceptor.Coverage {
    /// Returns the sessions that a scope intercepts.
    ///
    /// - Parameter interceptor: The interceptor that logs missing capabilities, or nil (the default) to log nothing.
    /// - Returns: The sessions, never `noSession`.
    /// - Throws: `unsupportedPlatform` if a scope cannot intercept any session.
    static func ofScopes(for interceptor: Interceptor? = nil) throws(RelayError) -> Self {
        #if canImport(FoundationNetworking)
            let missing = Interceptor.missingForScopes
            interceptor?.reportMissingCapabilities()
            guard missing.isEmpty else { throw RelayError("Requests in arbitrary sessions", without: missing) }
            return .everySession
        #else
            return .sharedSession
        #endif
    }

    #if canImport(FoundationNetworking)
        private static let isTested = Atomic(false)
    #endif

    /// Tests the platform on a separate thread, unless it was tested before.
    ///
    /// The test waits for Dispatch queues, which share a thread pool with tasks. If waiting callers blocked the whole
    /// pool, Dispatch would add another thread only after a second.
    static func test(isolation: isolated (any Actor)? = #isolation) async {
        #if canImport(FoundationNetworking)
            guard !isTested.load(ordering: .acquiring) else { return }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    _ = Interceptor.missingForScopes
                    isTested.store(true, ordering: .releasing)
                    continuation.resume()
                }
            }
        #endif
    }

    /// The sessions that compatibility APIs intercept.
    ///
    /// These APIs cannot throw. They guarantee only the interception of `URLSession.shared`.
    static var ofCompatibility: Self {
        let coverage = Interceptor.coverage
        return coverage == .noSession ? .sharedSession : coverage
    }
}
