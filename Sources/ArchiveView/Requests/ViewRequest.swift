import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// A request of the page: the path after the token, and its parameters.
struct ViewRequest: Sendable {
    /// The path, such as `api/1/rows`; empty for the page itself.
    let path: String

    let isPost: Bool

    /// The JSON body of a POST request, or null.
    let body: JSONValue

    private let items: [String: String]

    /// The maximum number of rows or messages of a response.
    static let mostRows = 1000

    /// Checks the sender and the token of a request.
    ///
    /// Another web page can send requests to the server, so the request must name its address and come from the page
    /// itself.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: The token that the path begins with.
    /// - Throws: The error to respond with.
    init(_ request: InterceptedRequest, token: String) throws(ViewError) {
        let url = NormalizedURL(request.url)
        guard RequestHost(of: request.url)?.isLoopback == true else {
            throw ViewError(403, "The page is available only by the address that har view printed.")
        }
        let site = request.headers.values(named: "sec-fetch-site").first ?? "none"
        let isOwn = request.headers.values(named: "origin").allSatisfy { NormalizedURL($0).origin == url.origin }
        guard isOwn, ["none", "same-origin"].contains(site) else { throw ViewError(403, "Other pages have no access.") }
        let parts = url.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first, SecretBytes(String(first)) == SecretBytes(token) else {
            throw ViewError(403, "The address has no valid token. Open the address that har view printed.")
        }
        path = parts.count > 1 ? String(parts[1]) : ""
        isPost = request.method == "POST"
        guard isPost || request.method == "GET" || request.method == "HEAD" else {
            throw ViewError(405, "The method is neither GET nor POST.")
        }
        let query = FormEncoding.items(of: (url.query ?? "")[...], invalidText: .repaired)
        items = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        guard isPost else {
            body = .null
            return
        }
        // A form of another page cannot have this type.
        let type = request.headers.values(named: "content-type").first.flatMap(MediaType.init)
        guard type?.essence == "application/json" else { throw ViewError(415, "The body must be JSON.") }
        do {
            body = try JSONValue(parsing: request.body ?? Data())
        } catch {
            throw ViewError(400, "The body is not valid JSON: \(error.message)")
        }
    }

    /// Returns a parameter as text, or an empty string.
    func text(_ name: String) -> String { items[name] ?? body[name]?.text ?? "" }

    /// Returns a parameter as a number that is not negative, or nil if it is missing.
    func number(_ name: String) throws(ViewError) -> Int? {
        guard let text = items[name] ?? body[name].flatMap({ $0 == .null ? nil : $0.number?.text }) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw ViewError(400, "Expected a number as '\(name)'.")
        }
        return number
    }

    /// Returns the choice that a parameter names, or a default if it is missing.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ standard: Choice
    ) throws(ViewError) -> Choice {
        let text = text(name)
        if let choice = text.isEmpty ? standard : Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ViewError(400, "Expected one of \(names) as '\(name)'.")
    }

    /// Returns the range of rows that a request asks for.
    func range(of count: Int) throws(ViewError) -> Range<Int> {
        let from = min(try number("from") ?? 0, count)
        return from..<from + min(try number("count") ?? 200, Self.mostRows, count - from)
    }
}

/// A request of the page that fails.
struct ViewError: Error {
    /// The status code.
    let status: Int

    /// The reason, and how to correct it.
    let message: String

    /// The word of a filter that is invalid, or nil.
    var word: String?

    /// Creates an error.
    init(_ status: Int, _ message: String, word: String? = nil) {
        self.status = status
        self.message = message
        self.word = word
    }

    /// Creates the error for another error, such as one of an archive.
    init(_ error: any Error) {
        switch error {
        case let error as ViewError: self = error
        case let error as HARError: self.init(error.code == .unreadableFile ? 404 : 422, error.message)
        case let error as RelayError: self.init(400, error.message)
        default: self.init(500, "The request failed with an error of type \(type(of: error)).")
        }
    }

    /// The response.
    var reply: Reply { .jsonValue(["error": .text(message), "word": .text(word)], status: status) }
}
