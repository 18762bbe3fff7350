/// The method of a request.
public enum HTTPMethod: String, Sendable {
    /// Creates a resource or starts an operation.
    case post = "POST"
    /// Retrieves a resource.
    case get = "GET"
    /// Replaces a resource.
    case put = "PUT"
    /// Deletes a resource.
    case delete = "DELETE"
    /// Changes part of a resource.
    case patch = "PATCH"
    /// Retrieves only the head of a response.
    case head = "HEAD"
}
