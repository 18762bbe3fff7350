import Foundation

@testable import HTTPArchive

/// Reads a document as a whole, in chunks and asynchronously, and reads all properties of the entries.
///
/// The results must be equal.
func checkReading(_ input: Input) {
    let whole = Reading(input.document)
    let pieces = input.pieces
    let decoded = Reading(decoding: pieces)
    if decoded != whole { fail("Read in chunks: found\n\(decoded)\nexpected\n\(whole)") }
    let awaited = wait { await Reading(awaiting: pieces) }
    if awaited != whole { fail("Read asynchronously: found\n\(awaited)\nexpected\n\(whole)") }
    let findings = whole.findings
    expectEqual(decoded.findings, findings, "Findings in chunks")
    for finding in findings { _ = finding.description }
    for entry in whole.entries { visit(entry) }
    if let log = whole.log { visit(log) }
}

private func visit(_ log: HAR.Log) {
    _ = (log.version, log.creator?.name, log.browser?.name, log.comment, log.hashValue)
    for page in log.pages ?? [] { _ = (page.id, page.title, page.startedDate, page.pageTimings) }
}

private func visit(_ entry: HAR.Entry) {
    let (request, response, timings) = (entry.request, entry.response, entry.timings)
    _ = (entry.startedDate, entry.time, entry.pageref, entry.serverIPAddress, entry.connection, entry.comment)
    _ = (request.method, request.url, request.httpVersion, request.headersSize, request.bodySize)
    _ = (response.status, response.statusText, response.httpVersion, response.redirectURL, response.headersSize)
    _ = (timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive, timings.ssl)
    for header in request.headers + response.headers { _ = (header.name, header.value) }
    for cookie in request.cookies + response.cookies { _ = (cookie.name, cookie.value, cookie.expiresDate) }
    for parameter in request.queryString { _ = (parameter.name, parameter.value) }
    for state in [entry.cache.beforeRequest, entry.cache.afterRequest] { _ = (state?.expires, state?.hitCount) }
    _ = (request.body, response.body, response.bodyText, response.mediaType, response.content.compression)
    _ = try? response.bodyJSON()
    _ = entry.hashValue
}
