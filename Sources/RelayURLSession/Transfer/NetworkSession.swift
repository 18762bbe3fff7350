import FoundationInternals
import RelayCore
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session in which the requests of another one go to the network, so that connections are used again.
final class NetworkSession: Sendable {
    private struct Known {
        weak var origin: URLSession?
        let session: NetworkSession
    }

    #if canImport(FoundationNetworking)
        private static let loaderName = "FoundationNetworking._HTTPURLProtocol"
    #endif

    private static let known = Mutex<[ObjectIdentifier: Known]>([:])

    #if canImport(FoundationNetworking)
        /// The class of the library that loads `http` and `https` in the session that was asked, where nothing else does.
        let loader: URLProtocol.Type?
    #endif

    private let session: URLSession
    private let delegate: NetworkDelegate

    /// The session for requests of another one, which is kept for as long as that exists.
    ///
    /// - Parameter origin: The session that was asked; `nil` where it cannot be known, and stands for an ephemeral one.
    /// - Returns: The session, made now or before.
    static func session(for origin: URLSession?) -> NetworkSession {
        let keyOfNone = ObjectIdentifier(NetworkSession.self)
        let key = origin.map(ObjectIdentifier.init) ?? keyOfNone
        let (session, gone) = known.withLock { known in
            if let entry = known[key], entry.origin === origin { return (entry.session, [Known]()) }
            let gone = known.filter { $0.key != keyOfNone && $0.value.origin == nil }
            for key in gone.keys { known[key] = nil }
            let session = NetworkSession(for: origin)
            known[key] = Known(origin: origin, session: session)
            return (session, gone.values.map { $0 })
        }
        if !gone.isEmpty {
            DispatchQueue.global().async { for entry in gone { entry.session.session.finishTasksAndInvalidate() } }
        }
        return session
    }

    private init(for origin: URLSession?) {
        let configuration = origin?.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.protocolClasses = configuration.protocolClasses?.filter { !($0 is any InterceptingClass.Type) }
        delegate = NetworkDelegate(for: origin)
        #if canImport(FoundationNetworking)
            // While a cache is being searched, a task that is cancelled ends twice, which ends the process.
            configuration.urlCache = nil
            let first = configuration.protocolClasses?.first as? URLProtocol.Type
            loader = origin != nil && first.map { String(reflecting: $0) } == Self.loaderName ? first : nil
            configuration.protocolClasses = [TransferWatch.self] + (configuration.protocolClasses ?? [])
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DirectQueue())
        #else
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #endif
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - origin: The task that it came from.
    ///   - receiver: Is given the exchange once it is over; redirects are not followed then. `nil` where nothing is recorded.
    ///   - handle: Is called with all that comes of it, in order.
    /// - Returns: The request on its way.
    func load(
        _ request: URLRequest, for origin: URLSessionTask, receiver: ExchangeReceiver?,
        handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) -> PassThrough {
        let task = session.dataTask(with: RequestExemption.exempt(request))
        let tap = receiver.map { ExchangeCapture(request, for: $0) }
        let passThrough = PassThrough(task, of: session, for: origin, tap: tap, handle: handle)
        delegate.expect(passThrough, of: task)
        RequestExemption.send { passThrough.start() }
        return passThrough
    }
}

/// A session of somebody else in which requests go to the network.
///
/// It is asked as everyone asks it: it follows redirects, and may be that of another interceptor.
struct GivenSession {
    let session: URLSession

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: Is given the exchange once it is over; `nil` where nothing is recorded.
    ///   - handle: Is called with all that comes of it, in order.
    /// - Returns: What cancels the request.
    func load(
        _ request: URLRequest, receiver: ExchangeReceiver?, handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) -> @Sendable () -> Void {
        let tap = receiver.map { ExchangeCapture(request, followsRedirects: true, for: $0) }
        let task = session.dataTask(with: request) { body, response, error in
            let error = error ?? (response is HTTPURLResponse ? nil : URLError(.badServerResponse))
            if let head = response as? HTTPURLResponse {
                handle(.head(head))
                tap?.note(head)
            }
            if let body, !body.isEmpty {
                handle(.data(body))
                tap?.note(body)
            }
            handle(.end(error))
            tap?.end(error, facts: nil)
        }
        RequestExemption.send { task.resume() }
        return { [session] in session.delegateQueue.addOperation { task.cancel() } }
    }
}

#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// The delegate queue of a session: serial, and without an object for each block, which takes half the time of an answer.
    ///
    /// What is added goes to Dispatch at once, and never shows among the operations of the queue.
    final class DirectQueue: OperationQueue, @unchecked Sendable {
        private let queue = DispatchQueue(label: "Relay.DirectQueue")

        override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

        override func addOperation(_ operation: Operation) { queue.async { operation.start() } }
    }
#endif
