#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Leads the requests of every session to scopes, also those of sessions made from a plain configuration.
    ///
    /// A configuration lists the library's own protocol classes for HTTP, WebSocket and FTP, whose `canInit` accepts every
    /// request of their schemes, so that registered classes are never asked. This makes them refuse inside a scope, and
    /// changes nothing outside: a class's metadata holds the table of its methods, and the entry for `canInit` is replaced.
    ///
    /// The entry is found without knowing where it is: it is the one that a subclass which overrides nothing has in
    /// common with `URLProtocol`, and a subclass which overrides only `canInit` has not. Unless there is exactly one,
    /// nothing is changed.
    enum EverySessionDetour {
        /// Whether the requests of every session come to scopes; the first use makes them.
        static var isActive: Bool { !originals.isEmpty }

        /// For each changed class the class that keeps its method; empty if nothing could be changed.
        fileprivate static let originals: [ObjectIdentifier: URLProtocol.Type] = activate()

        private static func activate() -> [ObjectIdentifier: URLProtocol.Type] {
            guard ClassLayout.isKnown, CarriedInterceptor.isPossible, let entry = entryOfCanInit,
                let http = libraryClass(for: "http")
            else { return [:] }
            let types = [http] + ["ws", "ftp"].compactMap(libraryClass(for:)).filter { $0 != http }
            let keepers: [URLProtocol.Type] = [
                OriginalProtocol.self, SecondOriginalProtocol.self, ThirdOriginalProtocol.self,
            ]
            var originals: [ObjectIdentifier: URLProtocol.Type] = [:]
            for (type, keeper) in zip(types, keepers) {
                var kept = ClassLayout.methods(of: keeper)
                let given = ClassLayout.methods(of: type)
                guard kept.indices.contains(entry), given.indices.contains(entry) else { return [:] }
                kept[entry] = given[entry]
                originals[ObjectIdentifier(type)] = keeper
            }
            for type in types {
                var changed = ClassLayout.methods(of: type)
                changed[entry] = ClassLayout.methods(of: AskingProtocol.self)[entry]
            }
            return originals
        }

        /// The index of `canInit(with:)` in the tables of methods.
        private static var entryOfCanInit: Int? {
            let base = ClassLayout.methods(of: URLProtocol.self)
            let plain = ClassLayout.methods(of: PlainProtocol.self)
            let asking = ClassLayout.methods(of: AskingProtocol.self)
            guard plain.count >= base.count, asking.count >= base.count else { return nil }
            let hits = base.indices.filter { base[$0] == plain[$0] && plain[$0] != asking[$0] }
            return hits.count == 1 ? hits.first : nil
        }

        private static func libraryClass(for scheme: String) -> URLProtocol.Type? {
            guard let url = URL(string: "\(scheme)://localhost") else { return nil }
            return URLSessionConfiguration.default.protocolClasses?.lazy
                .compactMap { $0 as? URLProtocol.Type }
                .first { $0.canInit(with: URLRequest(url: url)) }
        }
    }

    /// Overrides nothing.
    private class PlainProtocol: URLProtocol {}

    /// Its `canInit` becomes that of the library's classes.
    ///
    /// It runs with one of those as `self`, which it may only identify.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            if let interception = InterceptionScope.interception(for: request),
                interception.coverage == .everySession, CarriedInterceptor.attach(interception.interceptor)
            {
                return false
            }
            return EverySessionDetour.originals[ObjectIdentifier(self)]?.canInit(with: request) ?? false
        }
    }

    /// Its `canInit` becomes the one that a class of the library had.
    private class OriginalProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { false }
    }

    private class SecondOriginalProtocol: OriginalProtocol {}

    private class ThirdOriginalProtocol: OriginalProtocol {}
#endif
