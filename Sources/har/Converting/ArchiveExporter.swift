import Foundation
import HTTPArchive

/// A type that converts entries to the format of another tool.
protocol ArchiveExporter: Sendable {
    /// The name of the format in `har export --to`.
    static var name: String { get }

    /// Creates an exporter.
    ///
    /// - Parameter title: The name of the archive, without its extension.
    init(title: String)

    /// The text before the first entry; empty by default.
    var beginning: String { get }

    /// Returns the text of the next entry, or nil if the format cannot represent it.
    mutating func text(of entry: ExportedEntry) throws(HARError) -> String?

    /// Returns the text to write for an entry that the format cannot represent; nil by default.
    func note(onSkipping entry: ExportedEntry) -> String?

    /// The text after the last entry; empty by default.
    var end: String { get }

    /// Whether the exporter can change the order of the entries; `false` by default.
    static var mayReorder: Bool { get }

    /// Returns the entry indices in output order; the archive's order by default.
    static func order(of archive: HARArchive) throws(HARError) -> [Int]
}

extension ArchiveExporter {
    var beginning: String { "" }
    func note(onSkipping entry: ExportedEntry) -> String? { nil }
    var end: String { "" }
    static var mayReorder: Bool { false }
    static func order(of archive: HARArchive) throws(HARError) -> [Int] { Array(0..<archive.count) }
}

/// An entry to export, with its index and the bodies in files.
struct ExportedEntry {
    let entry: HAR.Entry

    /// The index of the entry in the archive.
    let index: Int

    /// The folder with the archive's body files.
    let folder: HAR.BodyFolder

    /// The request body, if it may be in a file.
    private let requestFile: Data?

    /// The response body, if it may be in a file.
    private let responseFile: Data?

    /// Reads the body files of an entry.
    ///
    /// - Throws: `unreadableFile` if a body file cannot be read.
    init(_ entry: HAR.Entry, at index: Int, folder: HAR.BodyFolder) throws(HARError) {
        self.entry = entry
        self.index = index
        self.folder = folder
        let (request, response) = (entry.request, entry.response)
        requestFile = try request.postData?["_file"] == nil ? nil : request.bodyData(in: folder)
        responseFile = try response.content["_file"] == nil ? nil : response.bodyData(in: folder)
    }

    /// The request body, or `nil` if it was not captured.
    ///
    /// - Complexity: O(*n*) in the size of the body.
    var requestBody: Data? { requestFile ?? entry.request.body.data }

    /// The response body, or `nil` if it was not captured.
    ///
    /// - Complexity: O(*n*) in the size of the body.
    var responseBody: Data? { responseFile ?? entry.response.body.data }

    /// The reason why URLSession cannot send the request, or `nil` if it can.
    var unsupportedReason: String? { entry.request.unsupportedReason }
}
