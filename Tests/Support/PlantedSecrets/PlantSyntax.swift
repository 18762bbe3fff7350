/// A syntax for pairs of names and values.
struct PlantSyntax: Sendable {
    /// The name in reports.
    let name: String

    /// The media type of a body in this syntax.
    let type: String

    /// The characters that are permitted in values.
    var alphabet = PlantAlphabet.any

    /// A function that returns whether the syntax permits a name; all names by default.
    var permits: @Sendable (String) -> Bool = { _ in true }

    /// Whether the redacted text equals the original text with placeholders instead of the values.
    ///
    /// For example, this is false for a text that contains a length, because the length depends on the values.
    var isExact = true

    /// The encodings of the whole text in which redaction must also find the pairs.
    var encodings: [PlantEncoding] = []

    /// A function that returns the text with the pairs.
    let text: @Sendable ([Plant]) -> String
}

// MARK: Forms, URLs and free text

extension PlantSyntax {
    private static let nested: [PlantEncoding] = [
        .percent, .percentTwice, .json, .jsonTwice, .base64, .base64URL, .xml,
    ]
    private static let wrapped: [PlantEncoding] =
        nested + [
            .gzip, .zlib, .deflate, .multipart, .sse, .utf16, .utf32,
        ]

    static let form = PlantSyntax(
        name: "form", type: "application/x-www-form-urlencoded",
        encodings: [.base64, .gzip, .zlib, .deflate, .utf16, .utf32]
    ) { query($0) }

    static let formWithBrackets = PlantSyntax(name: "form with brackets", type: "application/x-www-form-urlencoded") {
        $0.map { "user[\($0.name)]=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    static let plainForm = PlantSyntax(name: "text/plain form", type: "text/plain", alphabet: .any) {
        $0.map { "\($0.name)=\($0.value)\r\n" }.joined()
    }

    static let untypedForm = PlantSyntax(name: "form without a type", type: "") { query($0) }

    static let relativeURL = PlantSyntax(name: "relative URL", type: "text/plain", encodings: nested) {
        "/next/page?tab=2&" + query($0)
    }

    static let absoluteURL = PlantSyntax(name: "absolute URL", type: "text/plain", encodings: nested) {
        "https://b.test/next?tab=2&" + query($0)
    }

    static let schemelessURL = PlantSyntax(name: "URL without a scheme", type: "text/plain", encodings: [.percent]) {
        "//b.test/next?" + query($0)
    }

    static let fragmentURL = PlantSyntax(name: "URL with a fragment", type: "text/plain", encodings: nested) {
        "https://b.test/callback#" + query($0)
    }

    static let routeURL = PlantSyntax(
        name: "URL with a route in its fragment", type: "text/plain", encodings: [.percent]
    ) {
        "https://b.test/#/sign/in?" + query($0)
    }

    static let matrixURL = PlantSyntax(name: "URL with matrix parameters", type: "text/plain", encodings: [.percent]) {
        "https://b.test/a;" + $0.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: ";") + "/b?tab=2"
    }

    static let nestedURL = PlantSyntax(name: "URL in a URL in a URL", type: "text/plain") {
        let inner = "/login?" + query($0)
        return "https://b.test/?to=" + "https://c.test/?next=\(inner.percentEncoded)".percentEncoded + "&tab=2"
    }

    /// Returns the pairs as query items.
    static func query(_ plants: [Plant]) -> String {
        plants.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    static let assignments = PlantSyntax(name: "text with assignments", type: "text/plain", alphabet: .token) {
        "Sent with " + $0.map { "\($0.name)=\($0.value)" }.joined(separator: ", ") + " from a script."
    }

    static let colons = PlantSyntax(name: "text with colons", type: "text/plain", alphabet: .token) {
        "Credentials for staging:\n" + $0.map { "\($0.name): \($0.value)\n" }.joined() + "Please rotate them.\n"
    }

    static let quoted = PlantSyntax(name: "text with quoted assignments", type: "text/plain", alphabet: .token) {
        $0.map { "export \($0.name)=\"\($0.value)\"\n" }.joined()
    }

    static let yaml = PlantSyntax(name: "YAML", type: "application/yaml", alphabet: .token) {
        "settings:\n" + $0.map { "  \($0.name): \($0.value)\n" }.joined()
    }

    static let headerFields = PlantSyntax(name: "header fields as text", type: "text/plain", alphabet: .token) {
        "POST /a HTTP/1.1\r\nHost: b.test\r\n" + $0.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    static let curl = PlantSyntax(name: "curl command", type: "text/plain", alphabet: .token) {
        "curl -X POST " + $0.map { "-H '\($0.name): \($0.value)' " }.joined() + "https://b.test/"
    }
}

// MARK: JSON

extension PlantSyntax {
    static let json = PlantSyntax(name: "JSON", type: "application/json", encodings: wrapped) {
        #"{"user":{"n":1,"#
            + $0.map { "\($0.name.quotedAsJSON):\($0.value.quotedAsJSON)" }.joined(separator: ",") + #"},"ok":true}"#
    }

    static let prettyJSON = PlantSyntax(name: "indented JSON", type: "application/vnd.api+json") {
        "{\n  \"user\" : {\n"
            + $0.map { "    \($0.name.quotedAsJSON) : \($0.value.quotedAsJSON)" }.joined(separator: ",\n")
            + "\n  }\n}\n"
    }

    static let deepJSON = PlantSyntax(name: "deep JSON", type: "application/json") {
        let open = (0..<40).map { "{\"l\($0)\":[" }.joined()
        let close = String(repeating: "]}", count: 40)
        return open + $0.map { "{\($0.name.quotedAsJSON):\($0.value.quotedAsJSON)}" }.joined(separator: ",") + close
    }

    static let jsonText = PlantSyntax(name: "JSON as text/plain", type: "text/plain") { json.text($0) }

    static let jsonArrays = PlantSyntax(name: "JSON arrays", type: "application/json") {
        "{" + $0.map { "\($0.name.quotedAsJSON):[\($0.value.quotedAsJSON)]" }.joined(separator: ",") + "}"
    }

    static let jsonObjects = PlantSyntax(
        name: "JSON objects with a value", type: "application/json", permits: { !Plant.ambiguousNames.contains($0) }
    ) {
        "{" + $0.map { "\($0.name.quotedAsJSON):{\"value\":\($0.value.quotedAsJSON),\"n\":1}" }.joined(separator: ",")
            + "}"
    }

    /// JSON arrays of objects with a name and a value.
    static let jsonLists = [
        ("name", "value"), ("key", "value"), ("Name", "Value"), ("Key", "Value"), ("field", "value"), ("k", "v"),
        ("id", "value"),
    ]
    .map { names in
        PlantSyntax(
            name: "JSON list of \(names.0) and \(names.1)", type: "application/json",
            encodings: names.0 == "name" ? [.json, .base64, .percent, .gzip] : []
        ) {
            #"{"fields":["#
                + $0.map { "{\"\(names.0)\":\($0.name.quotedAsJSON),\"\(names.1)\":\($0.value.quotedAsJSON)}" }
                .joined(separator: ",") + "]}"
        }
    }

    static let jsonPairs = PlantSyntax(name: "JSON list of pairs", type: "application/json") {
        #"{"headers":["#
            + $0.map { "[\($0.name.quotedAsJSON),\($0.value.quotedAsJSON)]" }.joined(separator: ",") + "]}"
    }

    static let reversedList = PlantSyntax(name: "JSON list with the value first", type: "application/json") {
        "[" + $0.map { "{\"value\":\($0.value.quotedAsJSON),\"name\":\($0.name.quotedAsJSON)}" }.joined(separator: ",")
            + "]"
    }

    static let lines = PlantSyntax(name: "NDJSON", type: "application/x-ndjson", encodings: [.base64, .gzip]) {
        $0.map { "{\"n\":1,\($0.name.quotedAsJSON):\($0.value.quotedAsJSON)}\n" }.joined()
    }

    static let sequence = PlantSyntax(name: "JSON text sequence", type: "application/json-seq") {
        $0.map { "\u{1E}{\"n\":1,\($0.name.quotedAsJSON):\($0.value.quotedAsJSON)}\n" }.joined()
    }

    static let jsonp = PlantSyntax(name: "JSONP", type: "application/javascript") {
        "/**/callback_17(" + json.text($0) + ");"
    }

    static let guardedJSON = PlantSyntax(name: "JSON after a guard", type: "application/json") {
        ")]}',\n" + json.text($0)
    }

    static let urlInJSON = PlantSyntax(name: "relative URL in JSON", type: "application/json") {
        "{\"next\":\(relativeURL.text($0).quotedAsJSON),\"n\":1}"
    }

    static let escapedURLInJSON = PlantSyntax(name: "URL with escaped slashes in JSON", type: "application/json") {
        "{\"next\":\(absoluteURL.text($0).quotedAsJSON.replacing("/", with: "\\/")),\"n\":1}"
    }

    static let formInJSON = PlantSyntax(name: "form in JSON", type: "application/json") {
        "{\"body\":\(query($0).quotedAsJSON),\"n\":1}"
    }

    static let headersInJSON = PlantSyntax(name: "header fields in JSON", type: "application/json", alphabet: .token) {
        "{\"request\":\(headerFields.text($0).quotedAsJSON),\"n\":1}"
    }

    static let unicodeJSON = PlantSyntax(name: "JSON with Unicode escapes", type: "application/json") {
        let escaped = { (text: String) in
            text.utf8.map { "\\u00" + $0.hexadecimalText }.joined()
        }
        return "{"
            + $0.map { "\"\(escaped($0.name))\":\"\($0.isSecret ? $0.value.escapedForJSON : escaped($0.value))\"" }
            .joined(separator: ",") + "}"
    }

    static let graphQLVariables = PlantSyntax(name: "GraphQL variables", type: "application/json") {
        "{\"query\":\"mutation L($in: Login!) { login(in: $in) { id } }\",\"variables\":{\"in\":{"
            + $0.map { "\($0.name.quotedAsJSON):\($0.value.quotedAsJSON)" }.joined(separator: ",") + "}}}"
    }

    private static func mutation(_ plants: [Plant]) -> String {
        "mutation { login("
            + plants.map { "\($0.name): \($0.value.quotedAsJSON)" }.joined(separator: ", ") + ") { id } }"
    }

    static let graphQLArguments = PlantSyntax(
        name: "GraphQL arguments", type: "application/json", permits: { !$0.contains("-") }
    ) { "{\"query\":\(mutation($0).quotedAsJSON)}" }

    static let graphQL = PlantSyntax(
        name: "GraphQL document", type: "application/graphql", permits: { !$0.contains("-") }
    ) {
        mutation($0)
    }
}
