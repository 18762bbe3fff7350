package import HTTPArchive

/// A repair of an archive, with its location before and after the repair.
///
/// Notes never contain values from the archive.
package struct RepairNote: Sendable, Hashable {
    /// The kind of repair.
    package let kind: Kind

    /// A description of the repair.
    package let message: String

    /// The location in the repaired archive.
    package let pointer: JSONPointer

    /// The offset in the damaged file, in bytes.
    package let byteOffset: Int

    /// The line and the column in the damaged file, counted from 1 as in ``HARError/Context``.
    package let line: Int
    package let column: Int
}

extension RepairNote {
    /// A repair whose line and column are not known yet.
    struct Draft {
        let kind: Kind
        let message: String

        /// The path from the document or from the repaired object.
        let path: [String]

        /// The offset in the file or in the text of the repaired object, in bytes.
        let offset: Int
    }

    /// A kind of repair.
    ///
    /// The raw value is the name for people and programs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case compressedData = "compressed-data"
        case textEncoding = "text-encoding"
        case encodedJSON = "encoded-json"
        case surroundingText = "surrounding-text"
        case bareEntries = "bare-entries"
        case bareLog = "bare-log"
        case wrappedEntry = "wrapped-entry"
        case mergedArchive = "merged-archive"
        case repeatedEntries = "repeated-entries"
        case renamedPage = "renamed-page"
        case droppedField = "dropped-field"
        case missingEnd = "missing-end"
        case incompleteEntry = "incomplete-entry"
        case brokenText = "broken-text"
        case missingBracket = "missing-bracket"
        case extraBracket = "extra-bracket"
        case comment
        case whitespace
        case extraComma = "extra-comma"
        case missingComma = "missing-comma"
        case unquotedName = "unquoted-name"
        case unquotedText = "unquoted-text"
        case quotes
        case concatenation
        case call
        case controlCharacter = "control-character"
        case escape
        case number
        case nonFiniteNumber = "non-finite-number"
        case literal
        case missingValue = "missing-value"
        case missingField = "missing-field"
        case nullField = "null-field"
        case wrongType = "wrong-type"
        case dateFormat = "date-format"
        case invalidUnicode = "invalid-unicode"
        case invalidBase64 = "invalid-base64"
        case missingEncoding = "missing-encoding"
        case fileOutsideFolder = "file-outside-folder"
    }
}

extension RepairNote.Kind {
    /// The description of a repair that needs no details.
    var message: String {
        switch self {
        case .compressedData: "Kept the text that could be decompressed."
        case .textEncoding: "Converted the text from UTF-16 to UTF-8."
        case .encodedJSON: "Decoded JSON that was written as a string."
        case .surroundingText: "Removed text outside the archive."
        case .bareEntries: "Added a log around entries."
        case .bareLog: "Added a document around a log."
        case .wrappedEntry: "Removed other values around an entry."
        case .mergedArchive: "Merged another archive into the first one."
        case .repeatedEntries: "Joined another list of entries with the first one."
        case .renamedPage: "Renamed a page, because another archive has a different page with the same `id`."
        case .droppedField: "Left out fields that differ from the fields of the first archive."
        case .missingEnd: "Added the missing end of the archive."
        case .incompleteEntry: "Removed an incomplete entry before the missing end of an archive."
        case .brokenText: "Removed text that is not valid JSON."
        case .missingBracket: "Added a missing bracket."
        case .extraBracket: "Removed an extra closing bracket."
        case .comment: "Removed a comment."
        case .whitespace: "Replaced characters that JSON does not allow between values with a space."
        case .extraComma: "Removed an extra comma."
        case .missingComma: "Added a missing comma."
        case .unquotedName: "Added quotation marks around a name."
        case .unquotedText: "Added quotation marks around a word."
        case .quotes: "Replaced other quotation marks with double quotation marks."
        case .concatenation: "Joined the parts of a string."
        case .call: "Replaced a call with its argument."
        case .controlCharacter: "Escaped control characters in a string."
        case .escape: "Replaced an escape sequence that JSON does not have."
        case .number: "Rewrote a number in JSON's notation."
        case .nonFiniteNumber: "Replaced a number that JSON cannot represent with null."
        case .literal: "Replaced a word of another language with `true`, `false` or `null`."
        case .missingValue: "Added null for a missing value."
        case .missingField: "Added a missing field."
        case .nullField: "Removed null from `entries`."
        case .wrongType: "Converted a value to the required type."
        case .dateFormat: "Converted a date to ISO 8601."
        case .invalidUnicode: "Replaced invalid Unicode."
        case .invalidBase64: "Removed `encoding`, because `text` is not valid base64."
        case .missingEncoding: "Added `encoding`, because `text` is Base64."
        case .fileOutsideFolder: "Renamed `_file`, which must be a path in the archive's folder, without `..`."
        }
    }
}
