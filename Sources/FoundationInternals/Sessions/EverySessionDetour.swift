#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// Makes the protocol classes of FoundationNetworking refuse requests that a scope intercepts, in every session.
    ///
    /// A configuration lists the library's own protocol classes for HTTP, WebSocket and FTP, whose `canInit` accepts
    /// every request of their schemes, so registered classes are never asked. A class's metadata holds the table of its
    /// methods, and the entry for `canInit` is replaced. Outside scopes nothing changes.
    ///
    /// The entry is found without knowing its offset: a subclass that overrides nothing shares it with `URLProtocol`,
    /// and a subclass that overrides only `canInit` does not. Unless exactly one entry qualifies, and all
    /// tables can be changed, nothing is changed.
    enum EverySessionDetour {
        /// The test for intercepted requests.
        ///
        /// The structure matters: a closure that a mutex holds directly is wrapped once more by every access.
        fileprivate struct Test: Sendable {
            var isIntercepted: @Sendable (URLRequest) -> Bool = { _ in false }
        }

        fileprivate static let test = Mutex(Test())

        /// Activates the detour for the life of the process.
        ///
        /// - Parameter isIntercepted: Whether a request is intercepted. It is called on the queue of the request's
        ///   task, in the context of the code that starts it.
        /// - Returns: Whether the detour is active. If not, nothing has changed.
        static func activate(_ isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> Bool {
            test.withLock { $0.isIntercepted = isIntercepted }
            return isActive
        }

        /// Whether the classes are changed, which the first access tries.
        static var isActive: Bool { !originals.isEmpty }

        /// For each changed class, the class that keeps its original method; empty if nothing could be changed.
        fileprivate static let originals: [ObjectIdentifier: URLProtocol.Type] = {
            do throws(Failure) { return try replaceMethods() } catch {
                CapabilityTable.lose(.methodTables, because: error.reason)
                return [:]
            }
        }()

        private struct Failure: Error {
            let reason: String
        }

        private static func replaceMethods() throws(Failure) -> [ObjectIdentifier: URLProtocol.Type] {
            if let refusal = Interposition.refusal { throw Failure(reason: refusal) }
            guard ClassLayout.isKnown else {
                throw Failure(reason: "The layout of classes is unknown on 32-bit systems.")
            }
            guard let entry = entryOfCanInit else {
                throw Failure(reason: "The method `canInit` was not found in the method tables of protocol classes.")
            }
            guard let http = libraryClass(for: "http") else {
                throw Failure(reason: "Configurations list no protocol class for HTTP.")
            }
            let types = [http] + ["ws", "ftp"].compactMap(libraryClass(for:)).filter { $0 != http }
            let keepers: [URLProtocol.Type] = [
                OriginalProtocol.self, SecondOriginalProtocol.self, ThirdOriginalProtocol.self,
            ]
            var originals: [ObjectIdentifier: URLProtocol.Type] = [:]
            for (type, keeper) in zip(types, keepers) {
                var kept = ClassLayout.methods(of: keeper)
                let given = ClassLayout.methods(of: type)
                guard kept.indices.contains(entry), given.indices.contains(entry),
                    isWritable(entry, of: keeper), isWritable(entry, of: type)
                else { throw Failure(reason: "The method tables of protocol classes cannot be changed.") }
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
            guard !Fault.fails(.methodTables), plain.count >= base.count, asking.count >= base.count else { return nil }
            let hits = base.indices.filter { base[$0] == plain[$0] && plain[$0] != asking[$0] }
            return hits.count == 1 ? hits.first : nil
        }

        private static func isWritable(_ entry: Int, of type: AnyClass) -> Bool {
            guard let start = ClassLayout.methods(of: type).base.baseAddress else { return false }
            return memory_is_writable(start + entry) != 0
        }

        private static func libraryClass(for scheme: String) -> URLProtocol.Type? {
            guard let url = URL(string: "\(scheme)://localhost") else { return nil }
            return URLSessionConfiguration.default.protocolClasses?.lazy
                .compactMap { $0 as? URLProtocol.Type }
                .first { $0.canInit(with: URLRequest(url: url)) }
        }
    }

    /// A subclass without overrides.
    private class PlainProtocol: URLProtocol {}

    /// A class whose `canInit` replaces the method of the library's classes.
    ///
    /// The method runs with one of those classes as `self`, which it may only identify.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            if let isProbed = ProbeRequest.intercepts(request) { return !isProbed }
            let test = EverySessionDetour.test.withLock { $0 }
            if test.isIntercepted(request) { return false }
            return EverySessionDetour.originals[ObjectIdentifier(self)]?.canInit(with: request) ?? false
        }
    }

    /// A class whose `canInit` is replaced with the original method of a library class.
    private class OriginalProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { false }
    }

    private class SecondOriginalProtocol: OriginalProtocol {}

    private class ThirdOriginalProtocol: OriginalProtocol {}
#endif
