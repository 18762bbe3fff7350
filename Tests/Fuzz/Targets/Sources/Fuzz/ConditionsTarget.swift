import Foundation
import Relay

@testable import HTTPArchive
@testable import RelayCore

/// Matches each of the first few lines, used as a pattern, against the next line, used as a URL.
///
/// Patterns must agree with simple implementations of their documentation. A pattern that was created from a text must
/// match that text.
func checkConditions(_ input: Input) {
    let lines = input.lines.prefix(6)
    for (line, other) in zip(lines, lines.dropFirst() + lines.prefix(1)) {
        let (pattern, url) = (String(line.prefix(300)), String(other.prefix(300)))
        checkWildcards(pattern, url)
        checkFilters(pattern, url)
        checkPatterns(pattern, url)
        checkRoute(pattern, url, lines.last ?? "")
    }
}

// MARK: Wildcards

private func checkWildcards(_ pattern: String, _ text: String) {
    for separators in ["", "/?"] {
        let wildcard = WildcardPattern(pattern, separators: separators)
        let expected = simplyMatches(Array(pattern.utf8), Array(text.utf8), Array(separators.utf8))
        expectEqual(wildcard.matches(text), expected, "\(pattern) matches \(text) with the separators “\(separators)”")
        expectEqual(wildcard.matches(text[...]), expected, "As a substring")
        if !wildcard.matches(pattern) { fail("\(pattern) does not match itself.") }
    }
}

/// Matches a text by determining which prefixes of the text match each prefix of the pattern.
private func simplyMatches(_ pattern: [UInt8], _ text: [UInt8], _ separators: [UInt8]) -> Bool {
    var matched = [Bool](repeating: false, count: text.count + 1)
    matched[0] = true
    var rest = pattern[...]
    while let byte = rest.first {
        let stars = rest.prefix { $0 == UInt8(ascii: "*") }.count
        rest = rest.dropFirst(max(1, stars))
        var next = [Bool](repeating: false, count: text.count + 1)
        for end in 0...text.count {
            if stars == 0 {
                next[end] = end > 0 && matched[end - 1] && text[end - 1] == byte
            } else {
                let isLonger = end > 0 && next[end - 1] && (stars > 1 || !separators.contains(text[end - 1]))
                next[end] = matched[end] || isLonger
            }
        }
        matched = next
    }
    return matched[text.count]
}

// MARK: Filters

private func checkFilters(_ pattern: String, _ url: String) {
    var entry = HAR.Entry(
        startedDateTime: url, request: HAR.Request(method: pattern, url: url),
        response: HAR.Response(status: 200, content: HAR.Content(size: 0, mimeType: pattern)))
    func selects(_ filter: HAREntryFilter) -> Bool { filter.selects(entry, at: 0) }
    if !pattern.hasPrefix("*:") {
        expectEqual(
            selects(.url(pattern)), simplyMatches(LiteralURL(pattern), LiteralURL(url)), "\(pattern) selects \(url)")
    }
    // Used as a pattern, a URL with an asterisk in its host does not always match itself.
    let hasWildcard = LiteralURL(url).host.contains("*")
    if !hasWildcard, !selects(.url(url)) { fail("\(url) does not select itself.") }
    if !selects(.method(pattern.lowercased())) { fail("The method \(pattern) does not select itself.") }
    let parts = LiteralURL(url)
    if parts.scheme != nil, !parts.authority.isEmpty {
        expectEqual(
            selects(.host(pattern)), RequestPattern.host(pattern).matches(InterceptedRequest(url: url)),
            "The host \(pattern) selects \(url)")
        if !hasWildcard, !selects(.host(String(parts.authority))) { fail("The host of \(url) does not select it.") }
    }
    let filters: [HAREntryFilter] = [.host(pattern), .mediaType(pattern), .failed, .bodySize(0...10)]
    for filter in filters { expectEqual(selects(filter.inverted), !selects(filter), "An inverted filter") }
    expectEqual(selects(.all(of: filters)), filters.allSatisfy { selects($0) }, "All filters")
    expectEqual(selects(.any(of: filters)), filters.contains { selects($0) }, "Any filter")
    entry.request.url = pattern
    _ = selects(.host(url))
}

// MARK: Rules

private func entry(_ url: String) -> HAR.Entry {
    HAR.Entry(
        startedDateTime: "", request: HAR.Request(url: url),
        response: HAR.Response(status: 200, content: HAR.Content(size: 0, mimeType: "")))
}

private func checkPatterns(_ pattern: String, _ url: String) {
    let request = InterceptedRequest(url: url)
    let wanted = RequestPattern.url(pattern)
    expectEqual(
        wanted.matches(request), HAREntryFilter.url(pattern).selects(entry(url), at: 0), "\(pattern) and \(url)")

    let path = String(LiteralURL(url).path)
    var patterns: [RequestPattern] = [.exactly(url), .keywords(url, pattern), .path(prefix: path)]
    if !LiteralURL(url).host.contains("*") { patterns += [.url(url), .get(url)] }
    let escaped = NSRegularExpression.escapedPattern(for: url)
    // Regular expressions have no escapes for some control characters.
    if !url.isEmpty, !url.unicodeScalars.contains(where: { $0.value < 0x20 }),
        let literal = try? RequestPattern.matching(regularExpression: escaped)
    {
        patterns.append(literal)
    }
    for literal in patterns where !literal.matches(request) { fail("\(literal) does not match \(url).") }

    patterns += [
        wanted, .host(pattern), .method(pattern), .keywords(pattern), .exactly(pattern), .path(prefix: pattern),
    ]
    let host = RequestHost(of: url)
    for (one, other) in zip(patterns, patterns.reversed()) {
        let (isOne, isOther) = (one.matches(request), other.matches(request))
        expectEqual(RequestPattern.not(one).matches(request), !isOne, "not \(one)")
        expectEqual(one.and(other).matches(request), isOne && isOther, "\(one.and(other))")
        expectEqual(one.or(other).matches(request), isOne || isOther, "\(one.or(other))")
        if let host { _ = try? one.or(other).names(host, of: url) }
    }
}

/// Matches the canonical texts of a pattern and a URL as documented for `URLPattern`.
private func simplyMatches(_ pattern: LiteralURL, _ url: LiteralURL) -> Bool {
    if let scheme = pattern.scheme, url.scheme?.lowercased() != scheme.lowercased() { return false }
    if let port = pattern.port, !port.isEmpty, port != "*" {
        let other = url.port.map { String($0) } ?? ""
        let defaultPort = url.defaultPort.map { String($0) } ?? ""
        if port != (other.isEmpty ? defaultPort : other) { return false }
    }
    func normalized(_ text: Substring) -> String {
        PercentEncoding.normalized(text.utf8, delimiters: ByteSet("/?&=+;#%*"))
    }
    let labels = pattern.host.split(separator: ".", omittingEmptySubsequences: false)
        .map { $0.contains("*") ? $0.lowercased() : LiteralURL.normalized(host: $0) }
    var host = pattern.host.contains("*") ? labels.joined(separator: ".") : pattern.normalizedHost
    if host.isEmpty, !pattern.path.isEmpty { host = "*" }
    // Browsers treat a backslash after the host as a slash.
    func normalized(path: Substring) -> String {
        path.isEmpty || path.utf8.first == UInt8(ascii: "/") ? normalized(path) : "/" + normalized(path.dropFirst())
    }
    let path = pattern.path.isEmpty && !host.contains("**") ? "/" : normalized(path: pattern.path)
    var query = normalized(pattern.query)
    query = query.replacingOccurrences(of: "*", with: "**")
    let text = url.normalizedHost + (url.path.isEmpty ? "/" : normalized(path: url.path)) + normalized(url.query)
    return simplyMatches(Array((host + path + query).utf8), Array(text.utf8), Array("/?".utf8))
}

/// Checks that a rerouted URL has an original that is rerouted to the same URL.
private func checkRoute(_ from: String, _ url: String, _ to: String) {
    guard let route = try? Route(from: from, to: to) else { return }
    _ = (route.origin, route.original(url))
    let words = route.description.components(separatedBy: " → ")
    if words.count == 2 { expectEqual(try? Route(from: words[0], to: words[1]), route, "Parsed from its description") }
    guard let moved = route.rerouted(url), LiteralURL(url).scheme != nil else { return }
    guard let original = route.original(moved) else {
        fail("\(route) moves \(url) to \(moved), which has no original.")
    }
    expectEqual(route.rerouted(original), moved, "\(url) moved by \(route), and back to \(original)")
}
