extension Interceptor {
    /// Which sessions a scope takes that no interceptor made.
    public struct Coverage: Hashable, Sendable, CustomStringConvertible {
        private enum Kind { case everySession, sharedSession }

        private let kind: Kind

        /// Every session of the process, whoever made it, from whatever configuration, before or in the scope.
        public static let everySession = Self(kind: .everySession)

        /// Only `URLSession.shared`.
        public static let sharedSession = Self(kind: .sharedSession)

        /// The name, such as `everySession`.
        public var description: String { "\(kind)" }
    }

    /// Which sessions a scope takes in this process.
    public static var coverage: Coverage {
        #if canImport(FoundationNetworking)
            EverySessionDetour.isActive ? .everySession : .sharedSession
        #else
            .sharedSession
        #endif
    }
}
