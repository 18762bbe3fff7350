import RelayCore
import RelayURLSession
/// Changes answers before they are delivered; several as an array one after the other.
public protocol ResponseModifier {
    /// Changes an answer.
    ///
    /// - Parameter response: The answer.
    /// - Returns: What is delivered.
    /// - Throws: What the request ends with. It is called on any thread, for several answers at a time.
    func modify(response: NetworkResponse) async throws -> NetworkResponse
}

extension Array: ResponseModifier where Element == any ResponseModifier {
    /// What the modifiers make of an answer, one after the other.
    ///
    /// - Parameter response: The answer.
    /// - Returns: What the last one gives.
    /// - Throws: What any of them throws.
    public func modify(response: NetworkResponse) async throws -> NetworkResponse {
        var response = response
        for modifier in self { response = try await modifier.modify(response: response) }
        return response
    }
}
