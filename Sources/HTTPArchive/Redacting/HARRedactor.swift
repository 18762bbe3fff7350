import Foundation

/// Takes secrets out of entries before they are written.
///
/// ```swift
/// let redactor = try HARRedactor()
/// try writer.append(redactor.redacted(entry))
/// ```
///
/// In place of a secret stands `REDACTED-` with 16 digits, which are the same for the same secret, so that a flow still
/// fits together, and tell nothing of it to those who do not have the ``Key``. All else stays as it was: names and
/// attributes, the order and the numbers of JSON, and the text of an entry that has no secret.
///
/// A placeholder is no secret: to redact twice changes nothing more. Each entry is redacted by itself, so that the result
/// does not depend on what came before.
public struct HARRedactor: Sendable {
    private(set) var rules: RedactionRules

    /// Creates a redactor.
    ///
    /// - Parameter configuration: What is a secret; all that is known by default.
    /// - Throws: `invalidRule` for a pattern that is no regular expression; `invalidSetting` when the environment variable
    ///   `RELAY_REDACTION_KEY` is set and can be guessed.
    public init(_ configuration: Configuration = Configuration()) throws(HARError) {
        rules = try RedactionRules(configuration)
    }

    /// The entry without secrets.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The same entry, with the text that it was read from, where it has none. `Content-Length` and all sizes
    ///   that had the length of a changed body have its new length; lengths of encoded bodies stay.
    /// - Complexity: O(*n*) in the size of the entry.
    public func redacted(_ entry: HAR.Entry) -> HAR.Entry { HAR.Entry(fields: redacted(entry.fields, as: .entry)) }

    /// The page without secrets.
    ///
    /// - Parameter page: The page.
    /// - Returns: The same page where it has none.
    public func redacted(_ page: HAR.Page) -> HAR.Page { HAR.Page(fields: redacted(page.fields, as: .page)) }

    /// The request without secrets, as it is in a redacted entry.
    ///
    /// - Parameter request: The request.
    /// - Returns: The same request where it has none.
    package func redacted(_ request: HAR.Request) -> HAR.Request {
        HAR.Request(fields: redacted(request.fields, as: .request))
    }

    /// A field of the log or the document without secrets, pages and custom fields among them.
    ///
    /// - Parameter member: The field.
    /// - Returns: The same field where it has none.
    public func redacted(_ member: JSONObject.Member) -> JSONObject.Member {
        let object = JSONObject(members: [member])
        return redacted(object, as: .other).members.first ?? member
    }

    /// What secrets an entry has.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: Kinds, names and places, from the entry on, in the order of the entry.
    public func secrets(in entry: HAR.Entry) -> [Finding] { secrets(in: entry.fields, as: .entry) }

    /// What secrets a field of the log or the document has.
    ///
    /// - Parameter member: The field.
    /// - Returns: Kinds, names and places, from the field's name on.
    public func secrets(in member: JSONObject.Member) -> [Finding] {
        secrets(in: JSONObject(members: [member]), as: .other)
    }

    /// A URL without secrets.
    ///
    /// - Parameter url: The URL as text.
    /// - Returns: The URL, with all else as it was written.
    package func redacted(url: String) -> String { redacted(url) { $0.urlEdits(in: $1) } }

    /// The value of a header field without secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    /// - Returns: The value; of credentials the scheme stays, of cookies their names and attributes.
    package func redacted(header value: String, named name: String) -> String {
        redacted(value) { $0.headerEdits(in: $1, named: name) }
    }

    /// The rules with the bare word `REDACTED` in place of every secret: what a request with real secrets becomes by them
    /// is what ``withoutKeys(_:)`` makes of a recorded one.
    package var masked: HARRedactor {
        var redactor = self
        redactor.rules.key = nil
        return redactor
    }

    /// A redactor that also finds what is a secret in an entry, wherever it stands: in a body beside the archive, say.
    ///
    /// - Parameter entry: The entry, with its secrets.
    /// - Returns: The redactor; the same one where secrets are not looked for in other places.
    package func knowing(secretsOf entry: HAR.Entry) -> HARRedactor {
        var redactor = self
        var findings: [Finding]?
        _ = redacted(entry.fields, as: .entry, noting: &findings, learning: &redactor.rules.known)
        return redactor
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

    /// Makes passes until one learns nothing: each looks everywhere for what those before have recognised by its name.
    func redacted(_ object: JSONObject, as part: Redaction.Part, noting findings: inout [Finding]?) -> JSONObject {
        var learned = rules.known
        return redacted(object, as: part, noting: &findings, learning: &learned)
    }

    private func redacted(
        _ object: JSONObject, as part: Redaction.Part, noting findings: inout [Finding]?,
        learning learned: inout RepeatedSecrets
    ) -> JSONObject {
        var result = object
        var told: Set<Finding> = []
        for _ in 0..<Self.maximumPassCount {
            var pass = Redaction(rules, repeated: learned)
            pass.findings = findings.map { _ in [] }
            guard let changed = pass.redacted(.object(result), as: part, named: nil)?.object else { break }
            result = changed
            findings? += (pass.findings ?? []).filter { told.insert($0).inserted }
            guard learned.formUnion(pass.learned) else { break }
        }
        return result
    }

    /// The largest number of passes; an entry of a real server needs two.
    private static let maximumPassCount = 8

    private func secrets(in object: JSONObject, as part: Redaction.Part) -> [Finding] {
        var findings: [Finding]? = []
        _ = redacted(object, as: part, noting: &findings)
        return findings ?? []
    }

    /// What secrets a body has.
    func secrets(in body: Data, mediaType: String?) -> [Finding] {
        var first = Redaction(rules)
        first.findings = []
        _ = body.withUnsafeBytes { first.bodyEdits(in: $0, as: mediaType) }
        var told: Set<Finding> = []
        return (first.findings ?? []).filter { told.insert($0).inserted }
    }
}
