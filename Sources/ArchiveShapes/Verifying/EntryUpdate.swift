import Foundation
package import HTTPArchive

/// Replaces responses in an archive, and leaves the rest of its text unchanged.
package enum EntryUpdate {
    /// Writes an archive with current responses.
    ///
    /// Requests, unknown fields, whitespace, and header fields that differ between any two responses, such as `Date`, are
    /// preserved.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - responses: The current responses, redacted, by the index of their entries.
    ///   - output: The file to write, which can replace the archive.
    /// - Throws: Any error from reading the archive; `unwritableFile`.
    package static func write(
        _ archive: HARArchive, replacing responses: [Int: LiveResponse], to output: OutputFile
    ) throws(HARError) {
        var offset = 0
        for (index, live) in responses.sorted(by: { $0.key < $1.key }) {
            let range = archive.byteRange(at: index)
            try output.copy(offset..<range.lowerBound, of: archive.file)
            try output.write([UInt8](text(of: archive, at: index, with: live)))
            offset = range.upperBound
        }
        let size = archive.file.size ?? offset
        try output.copy(offset..<max(offset, size), of: archive.file)
        try output.finish()
    }

    private static func text(
        of archive: HARArchive, at index: Int, with live: LiveResponse
    ) throws(HARError) -> Data {
        let recorded = try archive.entry(at: index).response
        var editor = try JSONEditor(Data(try archive.text(at: index)))
        func set(_ value: JSONValue?, _ path: String...) throws(HARError) {
            if let value { try editor.set(value, at: JSONPointer(path)) }
        }
        let response = live.response
        try set(.string(JSONString(HAR.text(live.start))), "startedDateTime")
        try set(.init(milliseconds: live.duration), "time")
        try set(
            ["send": 0, "wait": .init(milliseconds: live.duration) ?? 0, "receive": 0], "timings")
        if recorded.status != response.status {
            try set(.number(JSONNumber(response.status)), "response", "status")
            try set(.string(JSONString(response.statusText)), "response", "statusText")
        }
        try update(recorded.headers, to: response.headers, in: &editor)
        let location = response.header("location") ?? ""
        if recorded.redirectURL != location { try set(.string(JSONString(location)), "response", "redirectURL") }
        // The recorded body may be in a separate file.
        var content = recorded.content.fields
        for name in ["text", "encoding", "size", "mimeType", "compression", "_file", "_fileEncoding"] {
            content[name] = nil
        }
        for member in response.content.fields.members { content[member.name.text] = member.value }
        for member in recorded.content.fields.members where content[member.name.text] == nil {
            try editor.remove(at: JSONPointer(["response", "content", member.name.text]))
        }
        for member in content.members where recorded.content.fields[member.name.text] != member.value {
            try set(member.value, "response", "content", member.name.text)
        }
        try set(.number(JSONNumber(-1)), "response", "bodySize")
        return editor.text
    }

    private static func update(
        _ recorded: [HAR.Header], to current: [HAR.Header], in editor: inout JSONEditor
    ) throws(HARError) {
        let path = ["response", "headers"]
        let names = { (headers: [HAR.Header]) in Set(headers.map { $0.name.lowercased() }) }
        let (known, found) = (names(recorded), names(current))
        var used: [String: Int] = [:]
        var removed: [Int] = []
        for (index, header) in recorded.enumerated() {
            let name = header.name.lowercased()
            let values = current.filter { $0.name.lowercased() == name }.map(\.value)
            let number = used[name, default: 0]
            used[name] = number + 1
            guard number < values.count else {
                removed.append(index)
                continue
            }
            if values[number] != header.value, !ResponseFields.ignored.contains(name) {
                try editor.set(
                    .string(JSONString(values[number])), at: JSONPointer(path + [String(index), "value"]))
            }
        }
        for index in removed.reversed() { try editor.remove(at: JSONPointer(path + [String(index)])) }
        for header in current where found.subtracting(known).contains(header.name.lowercased()) {
            try editor.set(.object(header.fields), at: JSONPointer(path + ["-"]))
        }
    }
}

extension JSONValue {
    /// Creates a time in milliseconds, rounded to microseconds; nil if the number is infinite.
    fileprivate init?(milliseconds: Double) {
        guard let number = JSONNumber((milliseconds * 1000).rounded() / 1000) else { return nil }
        self = .number(number)
    }
}
