/// The method of a request.
public enum HTTPMethod: String, Sendable {
    /// Makes something, or has something done.
    case post = "POST"
    /// Asks for something.
    case get = "GET"
    /// Replaces something.
    case put = "PUT"
    /// Removes something.
    case delete = "DELETE"
    /// Changes a part of something.
    case patch = "PATCH"
    /// Asks for the head of an answer alone.
    case head = "HEAD"
}
