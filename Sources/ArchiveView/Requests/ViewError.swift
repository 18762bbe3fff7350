import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

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

    /// Creates the error for an error of an archive.
    init(_ error: HARError) {
        self.init(error.code == .unreadableFile ? 404 : 422, error.message)
    }

    /// The response.
    var response: InterceptedResponse {
        .json(["error": .text(message), "word": .text(word)], status: status)
    }
}

extension InterceptedResponse {
    /// Returns a response with JSON.
    static func json(_ value: JSONValue, status: Int = 200) -> InterceptedResponse {
        InterceptedResponse(
            url: "", status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
            body: value.data(layout: .compact))
    }

    /// Returns a response with plain text.
    static func text(_ text: String, total: Int? = nil) -> InterceptedResponse {
        var headers = [HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8")]
        if let total { headers.append(HeaderField(name: "x-total", value: String(total))) }
        return InterceptedResponse(url: "", headers: headers, body: .init(text.utf8))
    }
}
