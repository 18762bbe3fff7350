public import Foundation

extension HAR {
    /// The body of a request or a response, as far as an archive has it.
    public enum Body: Hashable, Sendable {
        /// There was a body, or may have been one, and the archive does not have it.
        case notCaptured

        /// The bytes, free of content codings; none for an empty body.
        case data(Data)

        /// The body stands in a file of that name beside the archive, as Playwright writes it.
        case file(String)
    }
}

extension HAR.Body {
    /// The bytes; `nil` when they are not in the archive, or in a file beside it.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
