import Foundation
import HTTPArchive

/// A form in which archives are written for other tools, entry by entry.
protocol ArchiveExporter: Sendable {
    /// What `har export --to` calls it.
    static var name: String { get }

    /// Begins.
    ///
    /// - Parameter title: The name of the archive, without its extension.
    init(title: String)

    /// What stands before all entries; empty where nothing does.
    var beginning: String { get }

    /// The text of the next entry; `nil` where the form cannot express it.
    mutating func text(of entry: ExportedEntry) throws(HARError) -> String?

    /// What stands behind all entries; empty where nothing does.
    var end: String { get }

    /// Whether entries may be written in another order than the archive's; `false` by default.
    static var mayReorder: Bool { get }

    /// The order in which entries are written; that of the archive by default.
    static func order(of archive: HARArchive) throws(HARError) -> [Int]
}

extension ArchiveExporter {
    var beginning: String { "" }
    var end: String { "" }
    static var mayReorder: Bool { false }
    static func order(of archive: HARArchive) throws(HARError) -> [Int] { Array(0..<archive.count) }
}

/// An entry that is exported, with its place and its bodies.
struct ExportedEntry {
    /// The entry.
    let entry: HAR.Entry

    /// The place of the entry in the archive.
    let index: Int

    /// The folder of the archive, where bodies in files of their own are.
    let folder: HAR.BodyFolder

    /// The bytes of the request's body; `nil` where the archive does not have them.
    let requestBody: Data?

    /// The bytes of the answer's body; `nil` where the archive does not have them.
    let responseBody: Data?

    /// Reads the bodies of an entry.
    ///
    /// - Throws: `unreadableFile` when the file of a body is missing.
    init(_ entry: HAR.Entry, at index: Int, folder: HAR.BodyFolder) throws(HARError) {
        self.entry = entry
        self.index = index
        self.folder = folder
        requestBody = try entry.request.bodyData(in: folder)
        responseBody = try entry.response.bodyData(in: folder)
    }

    /// Why no client could ask for it; `nil` when one can.
    var reasonNotToAsk: String? { entry.request.reasonNotToAsk }
}
