import ArgumentParser
import HTTPArchive

/// The options that specify additional secrets, and names and values that are not secret.
struct RedactionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A header field whose values are secret.", valueName: "name"))
    var header: [String] = []

    @Option(help: ArgumentHelp("A query item whose values are secret.", valueName: "name"))
    var query: [String] = []

    @Option(help: ArgumentHelp("A form field whose values are secret.", valueName: "name"))
    var field: [String] = []

    @Option(help: ArgumentHelp("A JSON member, at any depth, whose values are secret.", valueName: "name"))
    var jsonKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "A regular expression that matches secrets; if it has a capture group, only that group is secret.",
            valueName: "regex"))
    var pattern: [String] = []

    @Option(help: ArgumentHelp("A name or a value that is not secret.", valueName: "name|value"))
    var allow: [String] = []

    /// Whether any option is given.
    var isSet: Bool { ![header, query, field, jsonKey, pattern, allow].allSatisfy(\.isEmpty) }

    func validate() throws {
        guard !pattern.isEmpty else { return }
        do throws(HARError) {
            _ = try HARRedactor(configuration(key: .random()))
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// Returns the configuration of a redactor.
    ///
    /// - Parameter key: The key for computing placeholders.
    /// - Returns: The configuration.
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
