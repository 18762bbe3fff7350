public import Foundation
import FoundationInternals
public import RelayCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Interceptor {
    /// Creates a session that sends all requests to this interceptor.
    ///
    /// The session retains the interceptor.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session, which are copied; nil (the default) for an ephemeral
    ///     configuration without a cache.
    ///   - delegate: The delegate of the session; nil by default.
    ///   - delegateQueue: The queue for delegate calls; nil (the default) for a new serial queue.
    /// - Returns: A new session.
    public func session(
        configuration: URLSessionConfiguration? = nil, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) -> URLSession {
        let configuration = installed(in: configuration ?? .ephemeralWithoutCache)
        #if canImport(FoundationNetworking)
            let session = InterceptedSession(
                configuration: configuration, delegate: delegate, delegateQueue: delegateQueue ?? DirectQueue())
            session.interceptor = self
            return session
        #else
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
            let key = unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self)
            objc_setAssociatedObject(session, key, self, .OBJC_ASSOCIATION_RETAIN)
            return session
        #endif
    }

    /// Returns a configuration for sessions that pass requests to this interceptor unchanged.
    ///
    /// The configuration has no cache and does not add cookies or header fields. ``Configuration/networkSession`` adds
    /// them to requests that are sent to the network.
    ///
    /// - Parameter other: The configuration from which all other settings are copied.
    /// - Returns: A new configuration.
    package func configuration(like other: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = installed(in: other)
        configuration.httpShouldSetCookies = false
        configuration.httpAdditionalHeaders = nil
        configuration.urlCache = nil
        return configuration
    }

    /// Returns a copy of a configuration with this interceptor installed.
    package func installed(in other: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = other.copy() as? URLSessionConfiguration ?? other
        install(in: configuration)
        return configuration
    }

    /// Makes this interceptor handle all requests in sessions that are later created from a configuration.
    ///
    /// Use this for code that creates its own session. Retain the interceptor while its sessions are in use. If it is
    /// deallocated, their requests fail. If several interceptors are installed, the last one handles all requests.
    ///
    /// - Parameter configuration: The configuration to change.
    public func install(in configuration: URLSessionConfiguration) {
        configuration.protocolClasses = [sessionProtocol] + (configuration.protocolClasses ?? [])
    }

    /// The protocol class for sessions of this interceptor.
    var sessionProtocol: AnyClass {
        func make<Number: TypeNumber>(_: Number.Type) -> AnyClass { SessionProtocol<Number>.self }
        return make(typeNumber(number))
    }
}

extension URLSession {
    /// Whether the system is reading a session's configuration to load a task.
    ///
    /// Only FoundationNetworking reads the property `configuration` for this purpose. Subclasses can override the
    /// property.
    package static var isLoadingTask: Bool {
        #if canImport(FoundationNetworking)
            TaskAttachment.isOnTaskQueue
        #else
            false
        #endif
    }
}

extension URLSessionConfiguration {
    /// An ephemeral configuration without a cache.
    ///
    /// Cache lookups would only waste time in sessions that never use the network.
    fileprivate static var ephemeralWithoutCache: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return configuration
    }
}

#if canImport(FoundationNetworking)
    /// A session that retains its interceptor, which is set only once.
    private final class InterceptedSession: URLSession, @unchecked Sendable {
        var interceptor: Interceptor?
    }
#endif

/// A protocol class for all requests in sessions that an interceptor created or is installed in.
final class SessionProtocol<Number: TypeNumber>: InterceptingProtocol {
    override var interceptor: Interceptor? { InterceptorTable.interceptor(Number.value) }

    #if canImport(FoundationNetworking)
        /// Creates a protocol object and assigns a turn to its task, during the call to `resume()`.
        required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            takeTurn()
        }
    #else
        /// Assigns a turn to the task and starts loading.
        ///
        /// Tasks start one after another.
        override func startLoading() {
            takeTurn()
            super.startLoading()
        }
    #endif

    private func takeTurn() { turn = interceptor?.configuration.adapterSettings.taskOrder?.makeTurn() }

    override class func canInit(with request: URLRequest) -> Bool { true }
}

/// A number represented by a type, used to create a class for each number at run time.
///
/// `URLSession` accepts only protocol classes and creates the objects itself, so an object can get its initial state
/// only from its class. A type uses about 200 bytes, once for each number.
protocol TypeNumber {
    static var value: Int { get }
}

enum TypeZero: TypeNumber {
    static var value: Int { 0 }
}

enum TypeEven<Half: TypeNumber>: TypeNumber {
    static var value: Int { 2 * Half.value }
}

enum TypeOdd<Half: TypeNumber>: TypeNumber {
    static var value: Int { 2 * Half.value + 1 }
}

/// Returns the type of a nonnegative number, which nests one type per binary digit.
func typeNumber(_ number: Int) -> any TypeNumber.Type {
    guard number > 0 else { return TypeZero.self }
    func double<Half: TypeNumber>(_: Half.Type) -> any TypeNumber.Type {
        number.isMultiple(of: 2) ? TypeEven<Half>.self : TypeOdd<Half>.self
    }
    return double(typeNumber(number / 2))
}
