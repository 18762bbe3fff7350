import Foundation
import HTTPArchive
import RecordingFormats

/// An archive written by another tool.
struct RecordedArchive {
    private let log: RecordedValue

    /// Reads the log of a file.
    init(_ file: RecordingFile) throws(HARError) {
        log = try file.content().required("log")
    }

    /// Returns the name of the program that created an archive, or nil if the file is not an archive.
    static func creator(of file: RecordingFile) -> String? {
        file.value?["log"]?["entries"]?.array == nil ? nil : file.value?["log"]?["creator"]?["name"]?.text
    }

    /// Returns the entries in chronological order, with all fields that HAR requires.
    ///
    /// Each entry also contains the custom fields of the log.
    ///
    /// - Parameter adjust: A function that corrects the tool's deviations from HAR.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` with the location, or the error that `adjust` throws.
    func entries(
        adjust: (inout HAR.Entry, RecordedValue) throws(HARError) -> Void
    ) throws(HARError) -> [HAR.Entry] {
        let common = (log.value.object?.members ?? []).filter { $0.name.text.hasPrefix("_") }
        var entries: [HAR.Entry] = []
        for value in try log.required("entries").elements() {
            var entry = HAR.Entry(fields: try value.object())
            _ = try value.required("request").required("url").text()
            _ = try value.required("response").required("status").int()
            if entry.startedDate == nil {
                throw try value.required("startedDateTime").error(RecordedValue.invalidDate)
            }
            if entry["cache"]?.object == nil { entry.cache = HAR.Cache() }
            if entry["time"] == nil { entry.time = 0 }
            if entry["timings"]?.object == nil { entry.timings = HAR.Timings(send: 0, wait: entry.time, receive: 0) }
            entry.fields.members += common
            if entry.response.httpVersion.isEmpty { entry.response.httpVersion = entry.request.httpVersion }
            Self.complete(&entry.response)
            try adjust(&entry, value)
            entries.append(entry)
        }
        let dates = entries.map { $0.startedDate ?? .distantPast }
        return entries.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }.map { entries[$0] }
    }

    /// Adds missing required fields to a response, and renames the cookie field `sameSite`, which HAR does not define.
    private static func complete(_ response: inout HAR.Response) {
        if response.content["size"] == nil { response.content.size = response.content.text == nil ? 0 : nil }
        if response.content["mimeType"] == nil { response.content.mimeType = "x-unknown" }
        guard response.cookies.contains(where: { $0["sameSite"] != nil }) else { return }
        response.cookies = response.cookies.map { cookie in
            var cookie = cookie
            if let sameSite = cookie["sameSite"] { cookie["_sameSite"] = sameSite }
            cookie["sameSite"] = nil
            return cookie
        }
    }
}
