public import RelayCore
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Interceptor {
    /// Creates a session all of whose requests come to this interceptor.
    ///
    /// The session keeps the interceptor alive.
    ///
    /// - Parameters:
    ///   - configuration: The session's settings, which are copied; ephemeral ones without a cache when `nil`, the default.
    ///   - delegate: The session's delegate; none by default.
    ///   - delegateQueue: Where the delegate is called; a serial queue of the session's own when `nil`.
    /// - Returns: A new session.
    public func session(
        configuration: URLSessionConfiguration? = nil, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) -> URLSession {
        let configuration =
            configuration.map { $0.copy() as? URLSessionConfiguration ?? $0 } ?? .ephemeralWithoutCache
        install(in: configuration)
        #if canImport(FoundationNetworking)
            return InterceptedSession(
                keeping: self, configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
        #else
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
            let key = unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self)
            objc_setAssociatedObject(session, key, self, .OBJC_ASSOCIATION_RETAIN)
            return session
        #endif
    }

    /// Settings for sessions whose requests come to this interceptor as they are: without a cache, and without what a
    /// session adds to them, which the ``Configuration/networkSession`` adds where they go to the network.
    ///
    /// - Parameter other: What all else is taken from.
    /// - Returns: New settings.
    package func configuration(like other: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = other.copy() as? URLSessionConfiguration ?? other
        configuration.httpShouldSetCookies = false
        configuration.httpAdditionalHeaders = nil
        configuration.urlCache = nil
        install(in: configuration)
        return configuration
    }

    /// Makes all requests of sessions that are made from a configuration afterwards come to this interceptor.
    ///
    /// This is for code that makes its own session. Keep the interceptor for as long as such sessions are used: without
    /// it their requests fail. Of several that are installed, the last one takes all.
    ///
    /// - Parameter configuration: The settings to change.
    public func install(in configuration: URLSessionConfiguration) {
        configuration.protocolClasses = [sessionProtocol] + (configuration.protocolClasses ?? [])
    }
}

extension URLSessionConfiguration {
    /// Settings for sessions that never meet the network: a cache would be searched, on the disk too, for every request.
    fileprivate static var ephemeralWithoutCache: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return configuration
    }
}

#if canImport(FoundationNetworking)
    /// A session that keeps its interceptor alive.
    private final class InterceptedSession: URLSession, @unchecked Sendable {
        private let interceptor: Interceptor

        init(
            keeping interceptor: Interceptor, configuration: URLSessionConfiguration,
            delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
        ) {
            self.interceptor = interceptor
            super.init(
                configuration: configuration, delegate: delegate, delegateQueue: delegateQueue ?? DirectQueue())
        }
    }
#endif

/// Loads every request of the sessions that an interceptor made or was installed in.
final class SessionProtocol<Number: TypeNumber>: InterceptingProtocol {
    override var interceptor: Interceptor? { InterceptorTable.interceptor(Number.value) }

    override class func canInit(with request: URLRequest) -> Bool { true }
}

extension Interceptor {
    /// The class that loads every request of a session.
    var sessionProtocol: AnyClass {
        func make<Number: TypeNumber>(_: Number.Type) -> AnyClass { SessionProtocol<Number>.self }
        return make(typeNumber(number))
    }
}

/// A number that is a type, so that a class can be made for it while the program runs.
///
/// `URLSession` is told which classes load its requests, and makes their objects itself: what such an object is to know
/// from the start can only be in its class. A type takes about 200 bytes, once for each number.
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

/// The type of a number that is not negative, made of as many types as it has binary digits.
func typeNumber(_ number: Int) -> any TypeNumber.Type {
    guard number > 0 else { return TypeZero.self }
    func double<Half: TypeNumber>(_: Half.Type) -> any TypeNumber.Type {
        number.isMultiple(of: 2) ? TypeEven<Half>.self : TypeOdd<Half>.self
    }
    return double(typeNumber(number / 2))
}
