import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// The forms in which an entry can be copied.
enum EntryCopy: String, CaseIterable {
    case curl, fetch, swift, har

    /// Returns the text of entries: one archive, or the texts of all of them.
    ///
    /// - Throws: An error if Swift code cannot express a response.
    func text(of entries: [EntryDetails]) throws -> String {
        let exported = entries.map { details in
            ExportedEntry(entry: details.entry, index: details.index, folder: details.archive.bodyFolder)
        }
        let texts: [String]
        switch self {
        case .curl: texts = exported.map { $0.intercepted(body: $0.requestBody).curlCommand(maskingSecrets: false) }
        case .fetch: texts = exported.map(\.fetchCall)
        case .swift: texts = try exported.map(Self.swift)
        case .har:
            var log = HAR.Log(creator: .relay).fields
            log["entries"] = .array(entries.map { .object($0.entry.fields) })
            texts = [String(decoding: JSONValue.object(["log": .object(log)]).data(layout: .pretty), as: UTF8.self)]
        }
        return texts.joined(separator: "\n\n")
    }

    private static func swift(_ exported: ExportedEntry) throws(ViewError) -> String {
        guard let code = SwiftExporter.file(of: exported, title: "Recorded") else {
            let reason = exported.unsupportedReason ?? "a body was not captured"
            throw ViewError(409, "Entry \(exported.index) has no Swift form: \(reason).")
        }
        return code
    }
}
