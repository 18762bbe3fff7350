import ArgumentParser
import HTTPArchive

/// What is a secret, besides what is known, and what is none.
struct RedactionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A header field whose values are secrets.", valueName: "name"))
    var header: [String] = []

    @Option(help: ArgumentHelp("A query item whose values are secrets.", valueName: "name"))
    var query: [String] = []

    @Option(help: ArgumentHelp("A form field whose values are secrets.", valueName: "name"))
    var field: [String] = []

    @Option(help: ArgumentHelp("A JSON member whose values are secrets, at any depth.", valueName: "name"))
    var jsonKey: [String] = []

    @Option(help: ArgumentHelp("What secrets look like; only the first group, if there is one.", valueName: "regex"))
    var pattern: [String] = []

    @Option(help: ArgumentHelp("A name whose values are no secrets, or a value that is none.", valueName: "name|value"))
    var allow: [String] = []

    /// The settings.
    ///
    /// - Parameter key: The key of the placeholders.
    /// - Returns: The settings.
    func configuration(key: HARRedactor.Key) -> HARRedactor.Configuration {
        var configuration = HARRedactor.Configuration()
        configuration.headers = Set(header)
        configuration.queryItems = Set(query)
        configuration.formFields = Set(field)
        configuration.jsonKeys = Set(jsonKey)
        configuration.patterns = pattern
        configuration.allowedNames = Set(allow)
        configuration.allowedValues = Set(allow)
        configuration.key = key
        return configuration
    }
}
