#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Leads the requests of every session to scopes, those made from a plain configuration included.
    ///
    /// A configuration lists the library's own HTTP protocol, whose `canInit` says yes to every http and https request,
    /// so that registered classes are never asked. This makes it say no inside a scope, and nothing else than before
    /// outside: a class's metadata holds the table of its methods, and the entry for `canInit` is replaced.
    ///
    /// The entry is found without knowing where it is: it is the one that a subclass which overrides nothing has in
    /// common with `URLProtocol`, and a subclass which overrides only `canInit` has not. Unless there is exactly one,
    /// nothing is changed.
    enum EverySessionDetour {
        /// Whether the requests of every session come to scopes; the first use makes them.
        static let isActive = activate()

        private static func activate() -> Bool {
            guard ClassLayout.isKnown, CarriedInterceptor.isPossible,
                let http = URLSessionConfiguration.default.protocolClasses?.first(where: takesHTTP)
            else { return false }
            let base = ClassLayout.methods(of: URLProtocol.self)
            let plain = ClassLayout.methods(of: PlainProtocol.self)
            let asking = ClassLayout.methods(of: AskingProtocol.self)
            guard plain.count >= base.count, asking.count >= base.count else { return false }
            let hits = base.indices.filter { base[$0] == plain[$0] && plain[$0] != asking[$0] }
            guard hits.count == 1, let entry = hits.first else { return false }
            var original = ClassLayout.methods(of: OriginalProtocol.self)
            var changed = ClassLayout.methods(of: http)
            guard original.indices.contains(entry), changed.indices.contains(entry) else { return false }
            original[entry] = changed[entry]
            changed[entry] = asking[entry]
            return true
        }

        private static func takesHTTP(_ type: AnyClass) -> Bool {
            guard let type = type as? URLProtocol.Type, let url = URL(string: "http://localhost") else { return false }
            return type.canInit(with: URLRequest(url: url))
        }
    }

    /// Overrides nothing.
    private class PlainProtocol: URLProtocol {}

    /// Its `canInit` becomes that of the library's HTTP protocol, and must not use `self`, which that is.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            if let interception = InterceptionScope.interception(for: request),
                interception.coverage == .everySession, CarriedInterceptor.attach(interception.interceptor)
            {
                return false
            }
            return OriginalProtocol.type.canInit(with: request)
        }
    }

    /// Its `canInit` becomes the one that the library's HTTP protocol had.
    private class OriginalProtocol: URLProtocol {
        /// The class as a variable, so that the compiler leaves the call to the table.
        nonisolated(unsafe) static var type: URLProtocol.Type = OriginalProtocol.self

        override class func canInit(with request: URLRequest) -> Bool { false }
    }
#endif
