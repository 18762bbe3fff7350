import Foundation
package import HTTPArchive

/// An archive to compare.
package struct ComparedArchive: Sendable {
    /// The archive.
    package let archive: HARArchive

    /// The indices of the entries that conditions selected, or nil without conditions.
    let selected: Set<Int>?

    /// The folder with the archive's body files.
    let folder: HAR.BodyFolder

    /// Creates an archive to compare.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - selected: The indices of the entries that conditions selected; nil by default, for no conditions.
    ///   - folder: The folder with the archive's body files.
    package init(_ archive: HARArchive, selected: Set<Int>? = nil, bodiesIn folder: HAR.BodyFolder) {
        self.archive = archive
        self.selected = selected
        self.folder = folder
    }
}

/// The text of an entry as stored in its archive.
private struct StoredEntry {
    /// The text.
    let text: [UInt8]

    /// The offset of the text in the archive, in bytes.
    private let offset: Int

    /// Reads an entry.
    init(at index: Int, in archive: HARArchive) throws(HARError) {
        text = try archive.text(at: index)
        offset = archive.byteRange(at: index).lowerBound
    }

    /// Whether the entry may refer to a body file.
    var mayHaveFile: Bool { BodyReference.mayOccur(in: text) }

    /// Returns the text of an object in the entry, or nil if it is unknown.
    func text(of object: JSONObject) -> ArraySlice<UInt8>? {
        guard let range = object.byteRange, range.lowerBound >= offset, range.upperBound - offset <= text.count else {
            return nil
        }
        return text[range.lowerBound - offset..<range.upperBound - offset]
    }

    /// Whether two texts are known and the same.
    static func areSame(_ first: ArraySlice<UInt8>?, _ second: ArraySlice<UInt8>?) -> Bool {
        guard let first, let second else { return false }
        return first.withUnsafeBytes { first in second.withUnsafeBytes { first.isEqual(to: $0) } }
    }
}

/// Compares two entries.
package struct EntryComparison {
    /// The fields to ignore.
    let volatile: VolatileFields

    /// The redaction of values.
    var values: ShownValues

    /// The differences that were found so far.
    var difference = EntryDifference()

    /// The maximum number of differences with values, because redacting values takes long.
    let limit: Int

    /// Returns the differences between two entries, which can have different requests and be in the same archive.
    ///
    /// - Parameters:
    ///   - pair: The indices of the entries.
    ///   - first: The first archive.
    ///   - second: The second archive.
    ///   - volatile: The fields to ignore.
    ///   - limit: The maximum number of differences in JSON values and lines of text; others are only counted.
    /// - Returns: The differences.
    /// - Throws: An error if an entry cannot be read.
    package static func difference(
        _ pair: EntryPairs.Pair, of first: ComparedArchive, and second: ComparedArchive,
        ignoring volatile: VolatileFields, limit: Int
    ) throws(HARError) -> EntryDifference {
        let stored = (
            try StoredEntry(at: pair.first, in: first.archive), try StoredEntry(at: pair.second, in: second.archive)
        )
        // Equal entries can refer to different body files, and body files can be missing.
        let haveFiles = stored.0.mayHaveFile
        if !haveFiles, StoredEntry.areSame(stored.0.text[...], stored.1.text[...]) {
            try first.archive.validate(stored.0.text, at: pair.first)
            return EntryDifference()
        }
        let entries = (
            try first.archive.entry(at: pair.first, from: stored.0.text),
            try second.archive.entry(at: pair.second, from: stored.1.text)
        )
        func haveSameText(_ objects: (JSONObject, JSONObject)) -> Bool {
            !haveFiles && StoredEntry.areSame(stored.0.text(of: objects.0), stored.1.text(of: objects.1))
        }
        var comparison = EntryComparison(volatile: volatile, values: ShownValues(of: entries), limit: limit)
        let requests = (entries.0.request, entries.1.request)
        if !haveSameText((requests.0.fields, requests.1.fields)) {
            comparison.compareRequests(entries, (first.folder, pair.first), (second.folder, pair.second))
        }
        let responses = (entries.0.response, entries.1.response)
        if !haveSameText((responses.0.fields, responses.1.fields)) {
            let haveSameBody = haveSameText((responses.0.content.fields, responses.1.content.fields))
            let sources: (Source, Source) = ((first.folder, pair.first), (second.folder, pair.second))
            comparison.compareResponses(entries, haveSameBody ? nil : sources)
        }
        comparison.compareMessages(entries.0, entries.1)
        comparison.compare("failure", entries.0.failureText, entries.1.failureText)
        return comparison.difference
    }

    /// Returns the differences between the recorded response of an entry and a current response.
    ///
    /// - Parameters:
    ///   - entries: The entry, and the entry with the current response.
    ///   - folder: The folder with the archive's body files.
    ///   - volatile: The fields to ignore.
    ///   - limit: The maximum number of differences in JSON values and lines of text; others are only counted.
    /// - Returns: The differences.
    package static func difference(
        ofResponses entries: (HAR.Entry, HAR.Entry), in folder: HAR.BodyFolder, ignoring volatile: VolatileFields,
        limit: Int
    ) -> EntryDifference {
        var comparison = EntryComparison(volatile: volatile, values: ShownValues(of: entries), limit: limit)
        comparison.compareResponses(entries, ((folder, 0), (folder, 0)))
        return comparison.difference
    }

    /// Validates an entry that only one archive has.
    ///
    /// - Parameters:
    ///   - index: The index of the entry.
    ///   - archive: The archive.
    /// - Throws: An error if the entry cannot be read.
    package static func validate(_ index: Int, of archive: ComparedArchive) throws(HARError) {
        try archive.archive.validate(archive.archive.text(at: index), at: index)
    }
}

extension EntryComparison {
    /// The folder with the body files of an archive, and the index of an entry.
    private typealias Source = (folder: HAR.BodyFolder, index: Int)

    private mutating func compareRequests(_ entries: (HAR.Entry, HAR.Entry), _ first: Source, _ second: Source) {
        let requests = (entries.0.request, entries.1.request)
        compare("method", requests.0.method.uppercased(), requests.1.method.uppercased())
        if requests.0.url != requests.1.url { compareURLs(requests.0.url, requests.1.url) }
        let headers = (requests.0.allHeaders, requests.1.allHeaders)
        compareHeaders(headers.0, headers.1, "request header", isIgnored: volatile.ignores(requestHeader:))
        let bodies = (
            requests.0.comparedBody(in: first.folder, ofEntry: first.index),
            requests.1.comparedBody(in: second.folder, ofEntry: second.index)
        )
        if Self.isUnread(bodies.0, requests.0.body) || Self.isUnread(bodies.1, requests.1.body) { return }
        compareBodies(bodies.0, bodies.1, "request body")
    }

    /// Whether a body is in a file that could not be read, which is reported as a warning.
    private static func isUnread(_ body: ComparedBody?, _ recorded: @autoclosure () -> HAR.Body) -> Bool {
        guard body == nil, case .file = recorded() else { return false }
        return true
    }

    private mutating func compareURLs(_ first: String, _ second: String) {
        let urls = (NormalizedURL(first), NormalizedURL(second))
        if urls.0.origin + urls.0.path != urls.1.origin + urls.1.path {
            compare("url", first, second)
        } else if urls.0 != urls.1 || !volatile.usesDefaults {
            compareItems(urls.0.queryItems, urls.1.queryItems)
        }
    }

    private mutating func compareItems(_ first: [Substring], _ second: [Substring]) {
        let items = [first, second].map { Dictionary(grouping: $0, by: FormEncoding.name) }
        for (name, pair) in Self.pairs(of: items[0], items[1]) {
            guard volatile.usesDefaults ? pair.0?.sorted() != pair.1?.sorted() : pair.0 != pair.1 else { continue }
            let values = ((pair.0 ?? []) + (pair.1 ?? [])).map { FormEncoding.literalParts(of: $0).value }
            if volatile.ignores(queryItem: name, values: values, isInBoth: pair.0 != nil && pair.1 != nil) {
                let isUnnamed = volatile.ignores(unnamedItem: name, values: values)
                difference.ignored.insert(VolatileField(part: "query", name: isUnnamed ? VolatileField.unnamed : name))
                continue
            }
            add("query", .name(self.values.text(name)), pair) { $0.items($1) }
        }
    }

    /// - Parameters:
    ///   - entries: The entries.
    ///   - sources: The archives with the bodies, or nil if the bodies are equal.
    private mutating func compareResponses(
        _ entries: (HAR.Entry, HAR.Entry), _ sources: (Source, Source)?
    ) {
        var responses = (entries.0.response, entries.1.response)
        // Tools record 0 or a negative status for a request without a response.
        let statuses = (max(0, responses.0.status), max(0, responses.1.status))
        if statuses.0 != statuses.1 { add("status", nil, statuses) { .integer($1) } }
        // HTTP/2 has no status texts.
        if !volatile.usesDefaults, !responses.0.statusText.isEmpty, !responses.1.statusText.isEmpty {
            compare("statusText", responses.0.statusText, responses.1.statusText)
        }
        let versions = (Self.version(responses.0.httpVersion), Self.version(responses.1.httpVersion))
        if versions.0 != nil, versions.1 != nil { compare("httpVersion", versions.0, versions.1) }
        let content = responses.0.content
        var areBodiesKnown = content.fields.contains("text") || content.fields.contains("_file")
        var bodies: (ComparedBody?, ComparedBody?)?
        if let sources {
            // Text is decoded only once for the comparison and the search for secrets.
            if content.encoding == nil {
                responses.0.content = content.decoded
                responses.1.content = responses.1.content.decoded
                values.contents = (responses.0.content, responses.1.content)
            }
            bodies = (
                responses.0.comparedBody(in: sources.0.folder, ofEntry: sources.0.index),
                responses.1.comparedBody(in: sources.1.folder, ofEntry: sources.1.index)
            )
            areBodiesKnown = bodies?.0 != nil && bodies?.1 != nil
            if let bodies, let first = bodies.0, let second = bodies.1, first.isComparedByLine(with: second) {
                values.comparedTexts = (first, second)
            }
        }
        compareHeaders(responses.0.allHeaders, responses.1.allHeaders, "header") { [volatile] in
            volatile.ignores(responseHeader: $0, areBodiesKnown: areBodiesKnown)
        }
        if responses.0.header("location") == nil || responses.1.header("location") == nil {
            let targets = [responses.0, responses.1].map {
                $0.redirectURL.isEmpty ? $0.header("location") : $0.redirectURL
            }
            compare("redirectURL", targets[0], targets[1])
        }
        if responses.0.header("content-type") == nil, responses.1.header("content-type") == nil {
            let types = (MediaType(content.mimeType), MediaType(responses.1.content.mimeType))
            if types.0 != nil, types.1 != nil { compare("mimeType", types.0?.essence, types.1?.essence) }
        }
        guard let bodies, !Self.isUnread(bodies.0, responses.0.body), !Self.isUnread(bodies.1, responses.1.body) else {
            return
        }
        compareBodies(bodies.0, bodies.1, "body", sizes: (content.size ?? -1, responses.1.content.size ?? -1))
    }

    /// Compares WebSocket messages without their times.
    private mutating func compareMessages(_ first: HAR.Entry, _ second: HAR.Entry) {
        let name = "_webSocketMessages"
        guard first.fields.contains(name) || second.fields.contains(name) else { return }
        let messages = [first, second].map { entry in
            (entry[name]?.array ?? []).map { message in
                let members = message.object?.members.filter { $0.name != "time" }
                return members.map { JSONValue.object(JSONObject(members: $0)) } ?? message
            }
        }
        compareJSON(.array(messages[0]), .array(messages[1]), "messages")
    }

    /// Returns a version of HTTP in the spelling that all browsers share, or nil if it is unknown.
    private static func version(_ text: String) -> String? {
        switch text.lowercased() {
        case "", "unknown": nil
        case "h2", "http/2": "http/2.0"
        case "h3", "http/3": "http/3.0"
        case let version: version
        }
    }

    private mutating func compareHeaders(
        _ first: [HAR.Header], _ second: [HAR.Header], _ part: String, isIgnored: (_ name: String) -> Bool
    ) {
        let ignoresOrder = volatile.usesDefaults
        let fields = (
            Self.values(of: first, ignoringOrder: ignoresOrder), Self.values(of: second, ignoringOrder: ignoresOrder)
        )
        guard fields.0 != fields.1 else { return }
        for (name, pair) in Self.pairs(of: fields.0, fields.1) where pair.0 != pair.1 {
            let isInBoth = pair.0 != nil && pair.1 != nil
            if isIgnored(name), isInBoth || !VolatileFields.mattersIfMissing(name) {
                difference.ignored.insert(VolatileField(part: part, name: name))
            } else if !ignoresOrder || !isInBoth || !Self.haveSameValue(pair.0, pair.1, of: name) {
                // With --all, a difference can be the number of fields.
                let showsCount = isInBoth && Self.haveSameValue(pair.0, pair.1, of: name)
                add(part, .name(values.text(name)), pair) { $0.header($1, named: name, count: showsCount) }
            }
        }
    }

    /// Whether several fields have the same value as one field with a list (RFC 9110, section 5.3,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.3).
    private static func haveSameValue(_ first: [String]?, _ second: [String]?, of name: String) -> Bool {
        name != "set-cookie" && first?.joined(separator: ", ") == second?.joined(separator: ", ")
    }

    /// Returns the values of each lowercase name, sorted if their order does not matter.
    ///
    /// Pseudo-header fields are left out, because they repeat the method, the URL and the status.
    private static func values(of headers: [HAR.Header], ignoringOrder: Bool) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for header in headers {
            let name = header.name.lowercased()
            guard !name.hasPrefix(":"), let value = comparable(header.value, of: name) else { continue }
            values[name, default: []].append(value)
        }
        return ignoringOrder ? values.mapValues { $0.count == 1 ? $0 : $0.sorted() } : values
    }

    /// Returns the value without surrounding white space, or nil if it is equivalent to a missing field.
    ///
    /// The boundary of a multipart body is left out, because clients generate a new one for each request.
    private static func comparable(_ value: String, of name: String) -> String? {
        let value = value.trimming(.whitespaces)
        if name == "accept", value == "*/*" { return nil }
        guard name == "content-type", let type = MediaType(value), type.essence.hasPrefix("multipart/") else {
            return value
        }
        let parameters = type.parameters.filter { $0.key != "boundary" }.sorted { $0.key < $1.key }
        return parameters.reduce(type.essence) { "\($0); \($1.key)=\($1.value)" }
    }
}

extension EntryComparison {
    /// Adds a difference, unless the texts are equal.
    private mutating func compare(_ part: String, _ first: String?, _ second: String?) {
        guard first != second else { return }
        let isURL = part == "url" || part == "redirectURL"
        add(part, nil, (first, second)) { .text(isURL ? $0.url($1) : $0.text($1)) }
    }

    /// Returns the values of each name in two dictionaries, in the order of the names.
    static func pairs<Value>(of first: [String: Value], _ second: [String: Value]) -> [(String, (Value?, Value?))] {
        Set(first.keys).union(second.keys).sorted().map { ($0, (first[$0], second[$0])) }
    }

    /// Adds a difference between two values, in the form in which they are shown.
    mutating func add<Value>(
        _ part: String, _ location: FieldDifference.Location?, _ pair: (Value?, Value?),
        _ shown: (inout ShownValues, Value) -> JSONValue
    ) {
        add(part, location, pair.0.map { shown(&values, $0) }, pair.1.map { shown(&values, $0) })
    }

    /// Adds a difference.
    mutating func add(
        _ part: String, _ location: FieldDifference.Location?, _ first: JSONValue?, _ second: JSONValue?
    ) {
        difference.fields.append(FieldDifference(part: part, location: location, first: first, second: second))
    }
}

extension HAR.Request {
    /// The header fields, including one for the cookies if they were only recorded as cookies.
    fileprivate var allHeaders: [HAR.Header] {
        guard header("cookie") == nil, !cookies.isEmpty else { return headers }
        return headers + [HAR.Header(name: "Cookie", value: cookies.map(\.pair).joined(separator: "; "))]
    }
}

extension HAR.Response {
    /// The header fields, including one for each cookie if they were only recorded as cookies.
    fileprivate var allHeaders: [HAR.Header] {
        if header("set-cookie") != nil { return headers }
        return headers + cookies.map { HAR.Header(name: "Set-Cookie", value: $0.pair) }
    }
}

extension HAR.Cookie {
    /// The name and the value.
    fileprivate var pair: String { "\(name)=\(value)" }
}
