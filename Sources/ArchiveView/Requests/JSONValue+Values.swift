import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// Values of the API, which has `null` for missing values.
extension JSONValue {
    /// Returns a number with at most three decimals.
    static func number(_ number: Double?) -> JSONValue {
        .double(number.map { ($0 * 1000).rounded() / 1000 })
    }

    /// Returns a point in time in milliseconds since 1970.
    static func time(_ date: Date?) -> JSONValue { .number(date.map { $0.timeIntervalSince1970 * 1000 }) }

    /// Returns names and values.
    static func pairs(_ pairs: some Sequence<(name: String, value: String)>) -> JSONValue {
        .array(pairs.map { ["name": .text($0.name), "value": .text($0.value)] })
    }

    /// The header fields of a message of the page, or nil if they are missing.
    var headerFields: [HeaderField]? {
        self["headers"]?.array?.compactMap { field in
            let name = field["name"]?.text ?? ""
            let text = field["value"]?.text ?? ""
            return FieldSyntax.isToken(name) ? HeaderField(name: name, value: FieldSyntax.singleLine(text)) : nil
        }
    }
}
