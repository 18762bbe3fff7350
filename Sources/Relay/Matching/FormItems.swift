import Foundation
import HTTPArchive

/// The items of a form (https://url.spec.whatwg.org/#urlencoded-parsing), whose order means nothing.
struct FormItems: Hashable, Sendable {
    /// The values of each name, sorted by their bytes.
    let values: [String: [String]]

    /// Reads `application/x-www-form-urlencoded`, of which everything is an item or several.
    init(_ body: Data) {
        var values: [String: [String]] = [:]
        for item in body.split(separator: UInt8(ascii: "&")) {
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            values[Self.decoded(name), default: []].append(Self.decoded(item[name.endIndex...].dropFirst()))
        }
        self.values = values.mapValues { $0.sorted() }
    }

    private static func decoded(_ bytes: Data) -> String {
        let text = String(decoding: bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return PercentEncoding.decoded(text[...].utf8)
    }
}
