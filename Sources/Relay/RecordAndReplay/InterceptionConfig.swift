import RelayCore
import RelayURLSession
public import HTTPArchive

/// The selection of intercepted requests and the changes to their responses.
public struct InterceptionConfig: Sendable {
    /// The words to search for in URLs.
    ///
    /// Any match selects a request. Without words, all requests are selected.
    public var urlKeywords: [String]

    /// The values for JSON members by name, at any depth.
    public var jsonValueOverrides: [String: JSONValue]

    /// Creates settings with texts as JSON values.
    ///
    /// - Parameters:
    ///   - urlKeywords: The words to search for in URLs; none by default, which selects all requests.
    ///   - jsonValueOverrides: The texts for JSON members by name; none by default.
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: String] = [:]) {
        let values = jsonValueOverrides.mapValues { JSONValue.string(JSONString($0)) }
        self.init(urlKeywords: urlKeywords, jsonValueOverrides: values)
    }

    /// Creates settings with JSON values of any type.
    ///
    /// - Parameters:
    ///   - urlKeywords: The words to search for in URLs; none by default, which selects all requests.
    ///   - jsonValueOverrides: The values for JSON members by name.
    @_disfavoredOverload
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: JSONValue]) {
        self.urlKeywords = urlKeywords
        self.jsonValueOverrides = jsonValueOverrides
    }
}
