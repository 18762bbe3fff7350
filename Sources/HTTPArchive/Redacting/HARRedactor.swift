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
    private(set) var rules: RedactionRules {
        didSet { plainFields = PlainFields() }
    }

    private var plainFields = PlainFields()

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

    /// The error of the first pattern of the settings that took too much work, or nil if all searches succeeded.
    ///
    /// From then on, whole strings are replaced, so the output is useless, but contains no secrets.
    package var failure: HARError? { rules.patterns.failure }

    /// Returns an entry with its secrets replaced.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The redacted entry, or the same entry with its source text if it has no secrets. If a body changes,
    ///   `Content-Length` and all sizes that equal its old length are updated. The lengths of encoded bodies are
    ///   unchanged.
    /// - Complexity: O(*n*), where *n* is the size of the entry.
    public func redacted(_ entry: HAR.Entry) -> HAR.Entry {
        HAR.Entry(fields: search(entry.fields, as: .entry).object)
    }

    /// Returns an entry with its secrets replaced, and counts them.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - count: A counter, which is incremented for each replaced secret. Equal secrets count once per location.
    ///   - limit: The maximum number of bytes to decompress, which limits the time; 128 MB by default.
    /// - Returns: The entry, or nil if its compressed text is larger than a limit below the default.
    package func redacted(
        _ entry: HAR.Entry, counting count: inout Int, inflating limit: Int = .max
    ) -> HAR.Entry? {
        guard let result = search(entry.fields, as: .entry, notesFindings: true, inflating: limit) else { return nil }
        count += result.findings.count
        return HAR.Entry(fields: result.object)
    }

    /// Returns a page with its secrets replaced.
    ///
    /// - Parameter page: The page.
    /// - Returns: The redacted page, or the same page if it has no secrets.
    public func redacted(_ page: HAR.Page) -> HAR.Page {
        HAR.Page(fields: search(page.fields, as: .page).object)
    }

    /// Returns a request with its secrets replaced in the same way as in an entry.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The maximum number of bytes to decompress, which limits the time.
    /// - Returns: The redacted request, the same request if it has no secrets, or nil if its compressed text is larger than
    ///   the limit.
    package func redacted(_ request: HAR.Request, inflating limit: Int) -> HAR.Request? {
        search(request.fields, as: .request, inflating: limit).map { HAR.Request(fields: $0.object) }
    }

    /// Returns a field of the log or the document, such as `pages` or a custom field, with its secrets replaced.
    ///
    /// - Parameter member: The field.
    /// - Returns: The redacted field, or the same field if it has no secrets.
    public func redacted(_ member: JSONObject.Member) -> JSONObject.Member {
        search(JSONObject(members: [member]), as: .other).object.members.first ?? member
    }

    /// Returns the secrets in an entry.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The findings, with locations relative to the entry.
    public func secrets(in entry: HAR.Entry) -> [Finding] {
        search(entry.fields, as: .entry, notesFindings: true).findings
    }

    /// Returns the secrets in a field of the log or the document.
    ///
    /// - Parameter member: The field.
    /// - Returns: The findings, with locations that begin with the field's name.
    public func secrets(in member: JSONObject.Member) -> [Finding] {
        search(JSONObject(members: [member]), as: .other, notesFindings: true).findings
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
        knowing(secretsOf: entry, inflating: .max) ?? self
    }

    /// Returns a redactor that also replaces the secrets of an entry.
    ///
    /// It returns nil if the entry's compressed text is larger than a limit in bytes.
    package func knowing(secretsOf entry: HAR.Entry, inflating limit: Int) -> HARRedactor? {
        // The entry, its messages, their header fields and bodies are decoded only once for all passes.
        guard let result = search(entry.fields.decoded(depth: 5), as: .entry, inflating: limit) else { return nil }
        var redactor = self
        redactor.rules.known = result.known
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

    /// Returns text with its secrets replaced.
    func redacted(
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

    /// Runs passes until one finds no new secrets.
    ///
    /// Each pass also searches for the secrets that earlier passes found.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - part: The role of the object.
    ///   - notesFindings: Whether to return the findings; false by default.
    /// - Returns: The redacted object, the findings, and the secrets to replace wherever they occur.
    func search(
        _ object: JSONObject, as part: Redaction.Part, notesFindings: Bool = false
    ) -> SearchResult {
        // Without a lower limit, the search always ends with a result.
        search(object, as: part, notesFindings: notesFindings, inflating: .max) ?? (object, [], rules.known)
    }

    /// An object with its secrets replaced, the findings, and all known secrets.
    typealias SearchResult = (object: JSONObject, findings: [Finding], known: RepeatedSecrets)

    /// Runs passes like ``search(_:as:notesFindings:)``.
    ///
    /// It returns nil if compressed text is larger than a limit in bytes.
    private func search(
        _ object: JSONObject, as part: Redaction.Part, notesFindings: Bool = false, inflating limit: Int
    ) -> SearchResult? {
        var result = object
        var learned = rules.known
        var findings: [Finding] = []
        var reported: Set<Finding> = []
        var settled = SettledStrings()
        for number in 0..<Self.maximumPassCount {
            var pass = Redaction(rules, repeated: learned)
            pass.settled = settled
            pass.skipsTokens = number > 0
            pass.plainFields = number == 0 ? plainFields : nil
            pass.findings = notesFindings ? [] : nil
            pass.inflatable = min(pass.inflatable, limit)
            let changed = pass.redacted(.object(result), as: part, named: nil)?.object
            if pass.isIncomplete, limit < Redaction.mostInflated { return nil }
            guard let changed else { break }
            result = changed
            findings += (pass.findings ?? []).filter { reported.insert($0).inserted }
            settled = SettledStrings(after: pass.settled)
            guard learned.formUnion(pass.learned) else { break }
        }
        return (result, findings, learned)
    }

    /// The maximum number of passes.
    ///
    /// Two passes are enough for entries recorded from real servers.
    static let maximumPassCount = 8

    /// Returns the secrets in a body.
    package func secrets(in body: Data, mediaType: String?) -> [Finding] {
        var first = Redaction(rules)
        first.findings = []
        _ = body.withUnsafeBytes { first.bodyEdits(in: $0, as: mediaType) }
        var reported: Set<Finding> = []
        return (first.findings ?? []).filter { reported.insert($0).inserted }
    }
}

extension HARRedactor {
    /// The kind and location of a secret in an archive, without its value.
    public struct Finding: Sendable, Hashable {
        /// The reason the text is considered a secret.
        public let kind: Kind

        /// The name of the value, such as the name of a header field, or nil if the secret was detected by its format.
        public let name: String?

        /// The location of the string that contains the secret, relative to the entry or page.
        public let pointer: JSONPointer

        package init(kind: Kind, name: String?, pointer: JSONPointer) {
            self.kind = kind
            self.name = name
            self.pointer = pointer
        }
    }

    /// The reason a value is considered a secret.
    public typealias Kind = SecretKind
}
