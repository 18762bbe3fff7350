import RelayCore
import RelayURLSession
/// A type that changes responses before delivery.
///
/// An array applies its modifiers in order.
public protocol ResponseModifier {
    /// Returns a changed response.
    ///
    /// The method is called on any thread, concurrently for several responses.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response to deliver.
    /// - Throws: The error that the request fails with.
    func modify(response: NetworkResponse) async throws -> NetworkResponse
}

extension Array: ResponseModifier where Element == any ResponseModifier {
    /// Applies the modifiers in order.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response of the last modifier.
    /// - Throws: The error of any modifier.
    public func modify(response: NetworkResponse) async throws -> NetworkResponse {
        var response = response
        for modifier in self { response = try await modifier.modify(response: response) }
        return response
    }
}
