import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a program, by task and not by time, whose requests an interceptor takes.
struct InterceptionScope: Sendable {
    let interceptor: Interceptor
    let coverage: Interceptor.Coverage

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// The scopes active, by the number of their interceptor; the classes of these are registered.
    private static let active = Mutex<[Int: [InterceptionScope]]>([:])

    /// The scope that takes a request made here, or `nil` when it goes its own way.
    static func taking(_ request: URLRequest) -> InterceptionScope? {
        guard request.url?.isHTTP == true else { return nil }
        #if canImport(FoundationNetworking)
            return current
        #else
            // `URLSession` asks on a queue of its own, where no task local can be seen.
            guard URLProtocol.property(forKey: exemption, in: request) == nil else { return nil }
            return current ?? active.withLock { $0.count == 1 ? $0.first?.value.last : nil }
        #endif
    }

    /// A request that no scope takes, when it is made where none is current.
    static func exempt(_ request: URLRequest) -> URLRequest {
        #if canImport(FoundationNetworking)
            return request
        #else
            guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
            URLProtocol.setProperty(true, forKey: exemption, in: marked)
            return marked as URLRequest
        #endif
    }

    #if !canImport(FoundationNetworking)
        private static let exemption = "Relay passes this request through"
    #endif

    /// Makes sessions ask for scopes.
    func begin() {
        #if canImport(FoundationNetworking)
            _ = URLSession.shared  // The first session registers the library's own classes, which come first.
            if coverage == .sharedSession { SharedSessionDetour.begin() }
        #endif
        Self.active.withLock { active in
            if active[interceptor.number] == nil { _ = URLProtocol.registerClass(interceptor.scopeProtocol) }
            active[interceptor.number, default: []].append(self)
        }
    }

    /// Undoes what ``begin()`` did.
    func end() {
        Self.active.withLock { active in
            active[interceptor.number]?.removeLast()
            guard active[interceptor.number]?.isEmpty == true else { return }
            active[interceptor.number] = nil
            URLProtocol.unregisterClass(interceptor.scopeProtocol)
        }
        #if canImport(FoundationNetworking)
            if coverage == .sharedSession { SharedSessionDetour.end() }
        #endif
    }
}
