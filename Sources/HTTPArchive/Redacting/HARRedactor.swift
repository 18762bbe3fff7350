package import Foundation

/// Replaces secrets in entries before they are written.
///
/// ```swift
/// let redactor = try HARRedactor()
/// try writer.append(redactor.redacted(entry))
/// ```
///
/// The placeholder for a secret is `REDACTED-` followed by 16 hexadecimal digits. The same secret always gets the same
/// digits, so a sequence of requests remains consistent. Without the ``Key``, the digits reveal nothing about the
/// secret.
///
/// Apart from the recorded length of a body, everything else is unchanged: names and attributes, the order of JSON
/// members, the spelling of JSON numbers, and the source text of entries without secrets.
///
/// Placeholders are not secrets, so redacting an entry again has no effect. Each entry is redacted independently.
public struct HARRedactor: Sendable {
    private(set) var rules: RedactionRules

    /// Creates a redactor.
    ///
    /// - Parameter configuration: The settings; by default, all known kinds of secrets are redacted.
    /// - Throws: `invalidRule` if a pattern is not a valid regular expression; `invalidSetting` if the environment
    ///   variable `RELAY_REDACTION_KEY` is set but too short to be safe.
    public init(_ configuration: Configuration = Configuration()) throws(HARError) {
        rules = try RedactionRules(configuration)
    }

    /// Creates a redactor that replaces every secret with the bare word `REDACTED`, which needs no key.
    ///
    /// - Parameter configuration: The settings.
    /// - Throws: `invalidRule` if a pattern is not a valid regular expression.
    package init(masking configuration: Configuration) throws(HARError) {
        rules = RedactionRules(masking: configuration, patterns: try UserPatterns(configuration.patterns))
    }

    /// Creates a redactor with prepared settings.
    init(rules: RedactionRules) {
        self.rules = rules
    }

    /// Returns an entry with its secrets replaced.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The redacted entry, or the same entry with its source text if it has no secrets. If a body changes,
    ///   `Content-Length` and all sizes that equal its old length are updated. The lengths of encoded bodies are
    ///   unchanged.
    /// - Complexity: O(*n*), where *n* is the size of the entry.
    public func redacted(_ entry: HAR.Entry) -> HAR.Entry { HAR.Entry(fields: redacted(entry.fields, as: .entry)) }

    /// Returns an entry with its secrets replaced, and counts them.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - count: A counter, which is incremented for each replaced secret. Equal secrets count once per location.
    /// - Returns: The entry.
    package func redacted(_ entry: HAR.Entry, counting count: inout Int) -> HAR.Entry {
        var findings: [Finding]? = []
        let fields = redacted(entry.fields, as: .entry, noting: &findings)
        count += findings?.count ?? 0
        return HAR.Entry(fields: fields)
    }

    /// Returns a page with its secrets replaced.
    ///
    /// - Parameter page: The page.
    /// - Returns: The redacted page, or the same page if it has no secrets.
    public func redacted(_ page: HAR.Page) -> HAR.Page { HAR.Page(fields: redacted(page.fields, as: .page)) }

    /// Returns a request with its secrets replaced in the same way as in an entry.
    ///
    /// - Parameter request: The request.
    /// - Returns: The redacted request, or the same request if it has no secrets.
    package func redacted(_ request: HAR.Request) -> HAR.Request {
        HAR.Request(fields: redacted(request.fields, as: .request))
    }

    /// Returns a field of the log or the document, such as `pages` or a custom field, with its secrets replaced.
    ///
    /// - Parameter member: The field.
    /// - Returns: The redacted field, or the same field if it has no secrets.
    public func redacted(_ member: JSONObject.Member) -> JSONObject.Member {
        let object = JSONObject(members: [member])
        return redacted(object, as: .other).members.first ?? member
    }

    /// Returns the secrets in an entry.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The findings, with locations relative to the entry.
    public func secrets(in entry: HAR.Entry) -> [Finding] { secrets(in: entry.fields, as: .entry) }

    /// Returns the secrets in a field of the log or the document.
    ///
    /// - Parameter member: The field.
    /// - Returns: The findings, with locations that begin with the field's name.
    public func secrets(in member: JSONObject.Member) -> [Finding] {
        secrets(in: JSONObject(members: [member]), as: .other)
    }

    /// Returns a URL with its secrets replaced.
    ///
    /// - Parameter url: The URL as text.
    /// - Returns: The redacted URL.
    package func redacted(url: String) -> String { redacted(url) { $0.urlEdits(in: $1) } }

    /// Returns the value of a header field with its secrets replaced.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    /// - Returns: The redacted value. Authentication schemes and the names and attributes of cookies are unchanged.
    package func redacted(header value: String, named name: String) -> String {
        redacted(value) { $0.headerEdits(in: $1, named: name) }
    }

    /// Returns the items of a query or form with their secrets replaced.
    func redacted(items: String) -> String {
        redacted(items) { $0.formBodyEdits(in: $1, as: .query) }
    }

    /// Returns text of unknown format with its secrets replaced.
    func redacted(text: String) -> String { redacted(text) { $0.textEdits(in: $1) } }

    /// A redactor with the same rules that replaces every secret with the bare word `REDACTED`.
    ///
    /// Redacting a live request with this redactor yields the same result as calling ``withoutKeys(_:)`` on the
    /// recorded request.
    package var masked: HARRedactor {
        var redactor = self
        redactor.rules.key = nil
        return redactor
    }

    /// Returns a redactor that also replaces the secrets of an entry wherever they occur, such as in a body file.
    ///
    /// - Parameter entry: The entry, with its secrets.
    /// - Returns: The redactor; unchanged if the settings disable the search for repeated secrets.
    package func knowing(secretsOf entry: HAR.Entry) -> HARRedactor {
        var redactor = self
        var findings: [Finding]?
        // The entry, its messages, their header fields and bodies are decoded only once for all passes.
        let fields = entry.fields.decoded(depth: 5)
        _ = redacted(fields, as: .entry, noting: &findings, learning: &redactor.rules.known)
        return redactor
    }

    /// Returns a redactor that also replaces the given secrets wherever they occur.
    func knowing(_ secrets: RepeatedSecrets) -> HARRedactor {
        var redactor = self
        redactor.rules.known.formUnion(secrets)
        return redactor
    }

    /// The number of secrets that this redactor replaces wherever they occur.
    package var knownCount: Int { rules.known.count }

    /// Adds the secrets that another redactor replaces wherever they occur.
    ///
    /// - Parameter other: A redactor with the same settings.
    package mutating func formUnion(_ other: HARRedactor) { rules.known.formUnion(other.rules.known) }

    /// Returns an entry with the digests of a body file replaced, because the file contained secrets.
    ///
    /// - Parameters:
    ///   - body: The content of the file before its secrets were replaced.
    ///   - file: The reference to the file.
    ///   - entry: The entry.
    /// - Returns: The entry, with placeholders for the digests.
    package func withoutDigests(of body: Data, in file: BodyReference, of entry: HAR.Entry) -> HAR.Entry {
        guard let name = file.pointer.components.first, let message = entry[name]?.object else { return entry }
        var pass = Redaction(rules)
        var entry = entry
        entry[name] = .object(pass.withoutDigests(of: body, in: message))
        return entry
    }

    private func redacted(
        _ text: String, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> String {
        var result = text
        var learned = rules.known
        for _ in 0..<Self.maximumPassCount {
            var pass = Redaction(rules, repeated: learned)
            guard let changed = pass.redactedText(result, edits), changed != result else { break }
            result = changed
            learned.formUnion(pass.learned)
        }
        return result
    }

    private func redacted(_ object: JSONObject, as part: Redaction.Part) -> JSONObject {
        var findings: [Finding]?
        return redacted(object, as: part, noting: &findings)
    }

    /// Runs passes until one finds no new secrets.
    ///
    /// Each pass also searches for the secrets that earlier passes found.
    func redacted(_ object: JSONObject, as part: Redaction.Part, noting findings: inout [Finding]?) -> JSONObject {
        var learned = rules.known
        return redacted(object, as: part, noting: &findings, learning: &learned)
    }

    private func redacted(
        _ object: JSONObject, as part: Redaction.Part, noting findings: inout [Finding]?,
        learning learned: inout RepeatedSecrets
    ) -> JSONObject {
        var result = object
        var reported: Set<Finding> = []
        var settled = SettledStrings()
        for number in 0..<Self.maximumPassCount {
            var pass = Redaction(rules, repeated: learned)
            pass.settled = settled
            pass.skipsTokens = number > 0
            pass.findings = findings.map { _ in [] }
            guard let changed = pass.redacted(.object(result), as: part, named: nil)?.object else { break }
            result = changed
            findings? += (pass.findings ?? []).filter { reported.insert($0).inserted }
            settled = SettledStrings(after: pass.settled)
            guard learned.formUnion(pass.learned) else { break }
        }
        return result
    }

    /// The maximum number of passes.
    ///
    /// Two passes are enough for entries recorded from real servers.
    static let maximumPassCount = 8

    private func secrets(in object: JSONObject, as part: Redaction.Part) -> [Finding] {
        var findings: [Finding]? = []
        _ = redacted(object, as: part, noting: &findings)
        return findings ?? []
    }

    /// Returns the secrets in a body.
    package func secrets(in body: Data, mediaType: String?) -> [Finding] {
        var first = Redaction(rules)
        first.findings = []
        _ = body.withUnsafeBytes { first.bodyEdits(in: $0, as: mediaType) }
        var reported: Set<Finding> = []
        return (first.findings ?? []).filter { reported.insert($0).inserted }
    }
}
