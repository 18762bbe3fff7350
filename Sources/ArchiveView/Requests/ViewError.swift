import ArchiveInspection
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
