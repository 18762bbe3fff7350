public import Foundation
public import HTTPArchive

/// An error from replaying, recording or intercepting requests.
///
/// Show ``message`` to users, and use ``code`` to handle the error. Messages never contain header values, cookies or
/// bodies. Errors from reading or writing archives have the type `HARError`. A function that can fail with either type
/// throws a `RelayError` whose ``underlying`` error is the `HARError`.
public struct RelayError: Error, Sendable {
    /// The kind of failure.
    public let code: Code

    /// A description of the failure and how to avoid it.
    public let message: String

    /// The location of the failure, safe to print.
    public let context: HARError.Context

    /// The error that caused this error, or nil for none.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A description of the failure and how to avoid it, without header values, cookies or bodies.
    ///   - context: The location of the failure; empty by default.
    ///   - underlying: The error that caused this error, or nil (the default) for none.
    public init(
        _ code: Code, _ message: String, at context: HARError.Context = .init(), underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.context = context
        self.underlying = underlying
    }

    /// Creates an error for an archive that cannot be replayed.
    ///
    /// - Parameter error: The error from opening the archive, which provides the message and the location.
    package init(archive error: HARError) {
        self.init(.unreadableArchive, error.message, at: error.context, underlying: error)
    }
}

extension RelayError {
    /// A kind of failure.
    ///
    /// Minor releases may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: CaseIterable {
            case noMatchingEntry, unreadableArchive, unsupportedTask, interceptorGone, ambiguousInterceptor
            case networkForbidden, unsupportedPlatform, invalidRule, invalidSetting, overrideFailed, timeLimitExceeded
        }

        private let kind: Kind

        /// No rule or recorded entry matches the request.
        public static let noMatchingEntry = Self(kind: .noMatchingEntry)

        /// An archive is missing or cannot be read.
        ///
        /// If the file exists, ``RelayError/underlying`` is the `HARError`.
        public static let unreadableArchive = Self(kind: .unreadableArchive)

        /// Tasks of this kind cannot be intercepted on this platform.
        public static let unsupportedTask = Self(kind: .unsupportedTask)

        /// The interceptor of the request was deallocated or stopped.
        public static let interceptorGone = Self(kind: .interceptorGone)

        /// The request belongs to no scope, and several active interceptors have entries or rules for its host.
        public static let ambiguousInterceptor = Self(kind: .ambiguousInterceptor)

        /// No interceptor handles the request, and the network policy forbids it.
        public static let networkForbidden = Self(kind: .networkForbidden)

        /// The platform lacks an internal feature that interception requires.
        ///
        /// The message names the feature.
        public static let unsupportedPlatform = Self(kind: .unsupportedPlatform)

        /// A pattern, a route, or the pointer of an override is invalid.
        public static let invalidRule = Self(kind: .invalidRule)

        /// A setting is invalid, such as an environment variable with an unknown value.
        public static let invalidSetting = Self(kind: .invalidSetting)

        /// An override cannot be applied to a response.
        public static let overrideFailed = Self(kind: .overrideFailed)

        /// A closure did not return a response within its time limit.
        public static let timeLimitExceeded = Self(kind: .timeLimitExceeded)

        /// All kinds, for tests.
        static var all: [Self] { Kind.allCases.map(Self.init) }

        /// The name of the kind, such as `noMatchingEntry`.
        public var description: String { "\(kind)" }
    }
}

extension RelayError: CustomStringConvertible, LocalizedError {
    /// The location, if known, and the message, with the code at the end of its first line.
    ///
    /// The page `Docs/Errors.md` explains the codes.
    public var description: String { HARError.description(of: message, "\(code)", at: context) }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
