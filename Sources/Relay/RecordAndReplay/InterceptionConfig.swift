import RelayCore
import RelayURLSession
public import HTTPArchive

/// Which requests are taken, and what is changed in their answers.
public struct InterceptionConfig: Sendable {
    /// What the URLs of the requests contain, any of these; every request is taken when there is none.
    public var urlKeywords: [String]

    /// Values for the members of JSON that have these names, wherever they stand.
    public var jsonValueOverrides: [String: JSONValue]

    /// Creates settings with texts for values of JSON.
    ///
    /// - Parameters:
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default.
    ///   - jsonValueOverrides: Texts for the members of JSON that have these names; none by default.
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: String] = [:]) {
        let values = jsonValueOverrides.mapValues { JSONValue.string(JSONString($0)) }
        self.init(urlKeywords: urlKeywords, jsonValueOverrides: values)
    }

    /// Creates settings with values of any kind.
    ///
    /// - Parameters:
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default.
    ///   - jsonValueOverrides: Values for the members of JSON that have these names.
    @_disfavoredOverload
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: JSONValue]) {
        self.urlKeywords = urlKeywords
        self.jsonValueOverrides = jsonValueOverrides
    }
}
