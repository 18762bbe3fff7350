import Foundation
import HTTPArchive

/// An archive that another tool wrote.
struct RecordedArchive {
    private let log: RecordedValue

    /// Reads the log of a file.
    init(_ file: RecordingFile) throws(HARError) {
        log = try file.content().required("log")
    }

    /// The name of the program that wrote a file; `nil` for what is no archive.
    static func creator(of file: RecordingFile) -> String? {
        file.value?["log"]?["entries"]?.array == nil ? nil : file.value?["log"]?["creator"]?["name"]?.text
    }

    /// The entries in the order of their times, with what HAR requires.
    ///
    /// What the tool keeps beside its entries stands in every entry: its own fields of the log, and a comment.
    ///
    /// - Parameter amend: Mends what the tool does in its own way.
    /// - Returns: The entries.
    func entries(
        amend: (inout HAR.Entry, RecordedValue) throws(HARError) -> Void
    ) throws(HARError) -> [HAR.Entry] {
        let common = (log.value.object?.members ?? []).filter { $0.name.text.hasPrefix("_") }
        var entries: [HAR.Entry] = []
        for value in try log.required("entries").elements() {
            var entry = HAR.Entry(fields: try value.object())
            _ = try value.required("request").required("url").text()
            _ = try value.required("response").required("status").int()
            if entry.startedDate == nil { throw try value.required("startedDateTime").error("A time is wanted here.") }
            if entry["cache"]?.object == nil { entry.cache = HAR.Cache() }
            if entry["time"] == nil { entry.time = 0 }
            if entry["timings"]?.object == nil { entry.timings = HAR.Timings(send: 0, wait: entry.time, receive: 0) }
            entry.fields.members += common
            try amend(&entry, value)
            entries.append(entry)
        }
        let dates = entries.map { $0.startedDate ?? .distantPast }
        return entries.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }.map { entries[$0] }
    }
}
