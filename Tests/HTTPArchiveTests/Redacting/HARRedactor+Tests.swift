import Foundation
import HTTPArchive

extension HARRedactor {
    /// A redactor with a key of the tests.
    static func test(_ change: (inout Configuration) -> Void = { _ in }) throws -> HARRedactor {
        var configuration = Configuration()
        configuration.key = Key(phrase: "a key of the tests")
        change(&configuration)
        return try HARRedactor(configuration)
    }

    /// A body without secrets, with the bare word for each.
    func masked(_ body: String, as type: String? = nil) -> String {
        String(decoding: masked.redacted(body: Data(body.utf8), mediaType: type), as: UTF8.self)
    }
}

extension HAR.Entry {
    /// An entry from JSON.
    static func parsed(_ text: String) throws -> HAR.Entry {
        var fields = JSONObject()
        if case .object(let object) = try JSONValue(parsing: text) { fields = object }
        return HAR.Entry(fields: fields)
    }

    /// The text that is written for the entry.
    var text: String { String(decoding: JSONValue.object(fields).data(layout: .unchanged), as: UTF8.self) }
}
