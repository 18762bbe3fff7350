public import Foundation

extension JSONValue {
    /// Parses a JSON document.
    ///
    /// Objects inside stay places in a copy of the text, and are decoded when they are asked for.
    ///
    /// - Parameter data: The text, in UTF-8.
    /// - Throws: `malformedJSON`, with offset, line and column; `limitExceeded` over 1 GiB or 512 levels.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing data: Data) throws(HARError) {
        self = try JSONSource.parsing(data).root.value
    }

    /// Parses a JSON document.
    ///
    /// - Parameter text: The text.
    /// - Throws: `malformedJSON`, with offset, line and column; `limitExceeded` over 1 GiB or 512 levels.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing text: String) throws(HARError) {
        try self.init(parsing: Data(text.utf8))
    }
}
