import Foundation
import Relay

@testable import HTTPArchive
@testable import RelayCore
@testable import RelayURLSession

/// Parses each line as a URL, a date, a media type and every other kind of text that the library parses.
func checkTexts(_ input: Input) {
    let lines = input.lines
    for (line, other) in zip(lines, lines.dropFirst() + [lines[0]]) {
        checkURL(line, from: other)
        checkNumber(line)
        checkDate(line)
        if let pointer = JSONPointer(text: line) {
            expectEqual(JSONPointer(text: pointer.description), pointer, "Pointer")
        }
        checkBodies(line, other)
        checkHeaders(line, other)
        checkJSON(line)
        checkMatchers(line, other)
    }
}

private func checkURL(_ text: String, from other: String) {
    let normal = NormalizedURL(text)
    expectEqual(NormalizedURL(normal.description), normal, "Normal form of \(normal)")
    _ = (
        URL(text: text), URL(text: text, relativeTo: URL(text: other)), normal.queryItems,
        RecordedFailure.code(for: text)
    )
    let request = InterceptedRequest(method: "POST", url: other, headers: [HeaderField(name: "Cookie", value: text)])
    let response = InterceptedResponse(url: other, status: 302, headers: [HeaderField(name: "Location", value: text)])
    _ = request.redirected(by: response)?.redirected(by: response)
}

private func checkHeaders(_ text: String, _ other: String) {
    _ = Conditions { $0 == "if-none-match" ? text : other }?.areMet(entityTag: other, lastModified: text)
    let response = InterceptedResponse(
        url: text, statusText: other,
        headers: [HeaderField(name: text, value: other), HeaderField(name: "Content-Type", value: text)])
    if let url = URL(string: "http://localhost/") { _ = response.httpURLResponse(requestedFrom: url) }
}

/// Checks that two requests match if and only if their digests are equal.
private func checkMatchers(_ text: String, _ other: String) {
    let headers = [HeaderField(name: "Content-Type", value: other)]
    let requests = [text, other].flatMap { body in
        [[], headers].map { headers in
            ComparedRequest(
                InterceptedRequest(method: "POST", url: "http://a/?\(other)", headers: headers, body: Data(body.utf8)))
        }
    }
    for matcher in [RequestMatcher.body, .formBody, .multipartBody, .graphQL, .jsonBody(), .url, .headers()] {
        for recorded in requests {
            let verdict = matcher.verdict(requested: requests[0], recorded: recorded)
            let digests = [requests[0], recorded].map { matcher.equivalence.digest(of: $0, withKey: true) }
            expectEqual(verdict.isMatch, digests[0] == digests[1], "\(matcher.name): \(verdict)")
        }
    }
}

private func checkNumber(_ text: String) {
    guard let number = JSONNumber(text: text) else { return }
    if let int = number.int, int.magnitude < 1 << 53 {
        expectEqual(number.double, Double(int), "The number \(text)")
    }
}

private func checkDate(_ text: String) {
    guard let date = HAR.date(text) else { return }
    let written = HAR.text(date)
    guard let again = HAR.date(written) else { fail("\(text), written as \(written), is not a date") }
    let hasYear = written != HAR.text(.distantFuture + 1e12) && written != HAR.text(.distantPast - 1e12)
    if hasYear, abs(again.timeIntervalSince(date)) > 0.0006 {
        fail("\(text), written as \(written), is a different time")
    }
}

private func checkBodies(_ text: String, _ other: String) {
    let type = MediaType(text)
    let fields = [HAR.Parameter(name: other, value: text), HAR.Parameter(name: text, fileName: other)]
    _ = (Form.encode(fields, as: type), Base64.decode(text), type?.charset)
    guard let charset = Charset(label: text) ?? type?.charset.flatMap(Charset.init(label:)) else { return }
    _ = charset.decode(Data(other.utf8))
    _ = charset.encode(other)
    if let bytes = charset.encodeExactly(other) { _ = charset.decode(bytes) }
}

private func checkJSON(_ text: String) {
    guard let value = try? JSONValue(parsing: text) else { return }
    for layout in [JSONLayout.unchanged, .compact, .pretty] {
        expectEqual(try? JSONValue(parsing: value.data(layout: layout)), value, "Written \(layout)")
    }
}
