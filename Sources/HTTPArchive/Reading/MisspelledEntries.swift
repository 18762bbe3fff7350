/// A field of the log that is probably meant to be `entries`.
///
/// Without this error, an archive whose `entries` has another name would silently be an archive without entries.
enum MisspelledEntries {
    /// Returns whether a field is an array of objects, or an empty one, whose name differs from `entries` in at most two letters.
    ///
    /// Custom fields, whose names begin with an underscore, are not misspelled.
    static func isMisspelled(_ member: JSONObject.Member) -> Bool {
        let name = member.name.text
        guard name != "entries", !name.hasPrefix("_"), let elements = member.value.array else { return false }
        guard elements.isEmpty || elements.first?.object != nil else { return false }
        return EditDistance.distance(name.lowercased(), "entries") <= 2
    }

    /// Returns the error for a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - offset: The offset of its value in the file, in bytes; nil if unknown.
    ///   - file: The name of the archive; nil (the default) if the reader adds it.
    /// - Returns: The error.
    static func error(_ name: String, at offset: Int?, in file: String? = nil) -> HARError {
        HARError(
            .notAnArchive, "Expected `entries` in `log`, found `\(name)`. Correct the name.",
            at: .init(file: file, pointer: JSONPointer(["log", name]), byteOffset: offset))
    }
}
