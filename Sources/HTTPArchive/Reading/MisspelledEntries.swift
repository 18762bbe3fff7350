/// Detects a field of the log whose name is probably a misspelling of `entries`.
///
/// Without this check, an archive with a misspelled field would be read as an archive without entries.
package enum MisspelledEntries {
    /// Returns whether a field's name differs from `entries` in at most two letters, and its value is an empty array or
    /// an array of objects.
    ///
    /// Custom fields, whose names begin with an underscore, are never considered misspelled.
    static func isMisspelled(_ member: JSONObject.Member) -> Bool {
        guard let elements = member.value.array, elements.isEmpty || elements.first?.object != nil else { return false }
        return isMisspelled(member.name.text)
    }

    /// Returns whether a name differs from `entries` in at most two letters.
    package static func isMisspelled(_ name: String) -> Bool {
        guard name != "entries", !name.hasPrefix("_"), name.utf8.count < 20 else { return false }
        return EditDistance.distance(name.lowercased(), "entries") <= 2
    }

    /// Returns the error for a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - offset: The offset of the value in the file, in bytes; nil if unknown.
    ///   - file: The name of the archive; nil by default, if the reader adds the name.
    /// - Returns: The error.
    static func error(_ name: String, at offset: Int?, in file: String? = nil) -> HARError {
        HARError(
            .notAnArchive, "Expected `entries` in `log`, found `\(name)`. Correct the name.",
            at: .init(file: file, pointer: JSONPointer(["log", name]), byteOffset: offset))
    }
}
