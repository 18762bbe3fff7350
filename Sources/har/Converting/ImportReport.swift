import Foundation
import HTTPArchive
import RecordingFormats

/// The report of an import: the number of entries in each format, and fields that HAR does not define.
struct ImportReport {
    private var files: [(format: String, files: Int, entries: Int)] = []
    private var keptFields: [String: Int] = [:]
    private var skipped: [String] = []

    /// The number of files in the input folders that were ignored because of their extensions.
    var otherFiles = 0

    /// The errors of subfolders that were skipped because they cannot be read.
    var failures: [HARError] = []

    /// Adds the entries of a file.
    mutating func add(_ entries: [HAR.Entry], of format: String) {
        let index = files.firstIndex { $0.format == format } ?? files.endIndex
        if index == files.endIndex { files.append((format, 0, 0)) }
        files[index].files += 1
        files[index].entries += entries.count
        for entry in entries {
            note(entry.fields, in: "entry")
            note(entry.request.fields, in: "request")
            note(entry.response.fields, in: "response")
            note(entry.response.content.fields, in: "content")
        }
    }

    /// Adds a file with an unknown format.
    mutating func skip(_ file: String) { skipped.append(file) }

    private mutating func note(_ fields: JSONObject, in object: String) {
        for member in fields.members where member.name.text.hasPrefix("_") {
            keptFields["\(object) \(member.name.text)", default: 0] += 1
        }
    }

    /// The lines of the report.
    var lines: [String] {
        var lines = files.map { format, files, entries in
            "\(format): \(entries.of("entry", "entries")) from \(files.of("file", "files"))"
        }
        if !keptFields.isEmpty {
            let fields = keptFields.sorted { $0.key < $1.key }.map { "\($0.key.printable) (\($0.value))" }
            lines.append("non-standard fields: " + fields.joined(separator: ", "))
        }
        lines += skipped.map { "skipped, unknown format: \($0.printable)" }
        if otherFiles > 0 { lines.append("skipped, unknown extension: \(otherFiles.of("file", "files"))") }
        return lines
    }
}
