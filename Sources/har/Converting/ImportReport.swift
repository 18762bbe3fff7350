import Foundation
import HTTPArchive
import RecordingFormats

/// What was imported, and what of it HAR has no place for.
struct ImportReport {
    private var files: [(kind: String, files: Int, entries: Int)] = []
    private var keptFields: [String: Int] = [:]
    private var leftOut: [String] = []

    /// How many files of folders were not looked at, for their extensions.
    var otherFiles = 0

    /// Notes a file and its entries.
    mutating func add(_ entries: [HAR.Entry], of kind: String) {
        let place = files.firstIndex { $0.kind == kind } ?? files.endIndex
        if place == files.endIndex { files.append((kind, 0, 0)) }
        files[place].files += 1
        files[place].entries += entries.count
        for entry in entries {
            note(entry.fields, in: "entry")
            note(entry.request.fields, in: "request")
            note(entry.response.fields, in: "response")
            note(entry.response.content.fields, in: "content")
        }
    }

    /// Notes a file that is of no known kind.
    mutating func leaveOut(_ file: String) { leftOut.append(file) }

    private mutating func note(_ fields: JSONObject, in object: String) {
        for member in fields.members where member.name.text.hasPrefix("_") {
            keptFields["\(object) \(member.name.text)", default: 0] += 1
        }
    }

    /// The lines of the report.
    var lines: [String] {
        var lines = files.map { kind, files, entries in
            "\(kind): \(entries.of("entry", "entries")) of \(files.of("file", "files"))"
        }
        if !keptFields.isEmpty {
            let fields = keptFields.sorted { $0.key < $1.key }.map { "\($0.key.printable) (\($0.value))" }
            lines.append("kept in fields of no standard: " + fields.joined(separator: ", "))
        }
        lines += leftOut.map { "not imported, of no known kind: \($0.printable)" }
        if otherFiles > 0 { lines.append("not looked at, for their names: \(otherFiles.of("file", "files"))") }
        return lines
    }
}
