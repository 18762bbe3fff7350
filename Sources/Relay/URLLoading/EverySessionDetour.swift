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
    /// nothing is changed. This file is all that knows how another library's types lie in memory.
    enum EverySessionDetour {
        /// Whether the requests of every session come to scopes; the first use makes them.
        static let isActive = activate()

        private static func activate() -> Bool {
            guard MemoryLayout<UInt>.size == 8,
                let http = URLSessionConfiguration.default.protocolClasses?.first(where: takesHTTP)
            else { return false }
            let base = methods(of: URLProtocol.self)
            let plain = methods(of: PlainProtocol.self)
            let asking = methods(of: AskingProtocol.self)
            guard plain.count >= base.count, asking.count >= base.count else { return false }
            let hits = base.indices.filter { base[$0] == plain[$0] && plain[$0] != asking[$0] }
            guard hits.count == 1, let entry = hits.first else { return false }
            var original = methods(of: OriginalProtocol.self)
            var changed = methods(of: http)
            guard original.indices.contains(entry), changed.indices.contains(entry) else { return false }
            original[entry] = changed[entry]
            changed[entry] = asking[entry]
            return true
        }

        private static func takesHTTP(_ type: AnyClass) -> Bool {
            guard let type = type as? URLProtocol.Type, let url = URL(string: "http://localhost") else { return false }
            return type.canInit(with: URLRequest(url: url))
        }

        /// The words of a class's metadata from its address point on: the size of all is at byte 32, the number of
        /// bytes before that point at byte 36, and the first words up to these are no methods.
        private static func methods(of type: AnyClass) -> Slice<UnsafeMutableBufferPointer<UInt>> {
            let start = unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
            let bytes = UnsafeRawPointer(start)
            let size = Int(bytes.load(fromByteOffset: 32, as: UInt32.self))
            let before = Int(bytes.load(fromByteOffset: 36, as: UInt32.self))
            let words = UnsafeMutableBufferPointer(start: start, count: max(0, size - before) / 8)
            return words.dropFirst(7)
        }
    }

    /// Overrides nothing.
    private class PlainProtocol: URLProtocol {}

    /// Its `canInit` becomes that of the library's HTTP protocol, and must not use `self`, which that is.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            let scope = InterceptionScope.current
            if scope?.coverage == .everySession, request.url?.isHTTP == true { return false }
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
