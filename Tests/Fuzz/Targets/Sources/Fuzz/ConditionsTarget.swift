import Foundation
import Relay

@testable import HTTPArchive
@testable import RelayCore

/// Matches each of the first lines as a pattern with the next one as a URL.
///
/// Patterns must agree with simple implementations of their descriptions, and must match the texts that they were
/// created from.
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

/// Decides for each prefix of the pattern which prefixes of the text it matches.
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
    let text = String(LiteralURL(url).withoutFragment)
    expectEqual(
        selects(.url(pattern)), simplyMatches(Array(pattern.utf8), Array(text.utf8), Array("/?".utf8)),
        "\(pattern) selects \(url)")
    if !selects(.url(text)) { fail("\(text) does not select itself.") }
    if !selects(.method(pattern.lowercased())) { fail("The method \(pattern) does not select itself.") }
    let parts = LiteralURL(url)
    if parts.scheme != nil, !parts.authority.isEmpty {
        let hosts = [parts.host, parts.authority].map { Array($0.lowercased().utf8) }
        let wanted = Array(pattern.lowercased().utf8)
        let expected = hosts.contains { simplyMatches(wanted, $0, []) }
        expectEqual(selects(.host(pattern)), expected, "The host \(pattern) selects \(url)")
        if !selects(.host(String(parts.authority))) { fail("The host of \(url) does not select it.") }
    }
    let filters: [HAREntryFilter] = [.host(pattern), .mediaType(pattern), .failed, .bodySize(0...10)]
    for filter in filters { expectEqual(selects(filter.inverted), !selects(filter), "An inverted filter") }
    expectEqual(selects(.all(of: filters)), filters.allSatisfy { selects($0) }, "All filters")
    expectEqual(selects(.any(of: filters)), filters.contains { selects($0) }, "Any filter")
    entry.request.url = pattern
    _ = selects(.host(url))
}

// MARK: Rules

private func checkPatterns(_ pattern: String, _ url: String) {
    let request = InterceptedRequest(url: url)
    let wanted = RequestPattern.url(pattern)
    expectEqual(wanted.matches(request), simplyMatches(parts(of: pattern), parts(of: url)), "\(pattern) and \(url)")

    let path = String(LiteralURL(url).path)
    var patterns: [RequestPattern] = [
        .url(url), .exactly(url), .keywords(url, pattern), .path(prefix: path), .get(url),
    ]
    let escaped = NSRegularExpression.escapedPattern(for: url)
    // The syntax has no escapes for some control characters.
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
        if let host { _ = one.or(other).names(host, of: url) }
    }
}

/// A part of a URL; the host is in lowercase.
private struct Part: Equatable {
    var isHost = false
    var text: [UInt8] = []
}

/// Splits the part of a URL from the host to the query, as described at `RequestPattern.url(_:)`.
private func parts(of url: String) -> [Part] {
    let text = Array(PercentEncoding.decoded(LiteralURL(url).resource.utf8).utf8)
    let marks = text.indices.filter { text[$0] == UInt8(ascii: "?") }
    let end = marks.count == 1 ? marks[0] : text.count
    var parts: [Part] = []
    for (number, segment) in text[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .enumerated()
    where !segment.isEmpty {
        let isHost = number == 0
        let host = isHost ? Array(LiteralURL.normalized(host: String(decoding: segment, as: UTF8.self)[...]).utf8) : []
        parts.append(Part(isHost: isHost, text: isHost && segment.first != UInt8(ascii: "*") ? host : Array(segment)))
    }
    for item in text[end...].dropFirst().split(separator: UInt8(ascii: "&")) {
        for half in item.split(separator: UInt8(ascii: "="), maxSplits: 1) where !half.isEmpty {
            parts.append(Part(text: Array(half)))
        }
    }
    return parts
}

private func simplyMatches(_ pattern: [Part], _ url: [Part]) -> Bool {
    for (number, part) in pattern.enumerated() {
        guard number < url.count else { return false }
        if part.text == Array("**".utf8) { return true }
        if part.text.first == UInt8(ascii: "*") { continue }
        var other = url[number]
        if other.isHost {
            other.text = Array(LiteralURL.normalized(host: String(decoding: other.text, as: UTF8.self)[...]).utf8)
        }
        if part != other { return false }
    }
    return url.count == pattern.count
}

/// A rerouted URL must lead back to one that is rerouted to it.
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
