import Foundation
import HTTPArchive

extension HARRedactor {
    /// Creates a redactor with the test key.
    static func test(_ change: (inout Configuration) -> Void = { _ in }) throws -> HARRedactor {
        var configuration = Configuration()
        configuration.key = Key(phrase: "a key of the tests")
        change(&configuration)
        return try HARRedactor(configuration)
    }

    /// Returns a body in which `REDACTED` replaces each secret.
    func masked(_ body: String, as type: String? = nil) -> String {
        String(decoding: masked.redacted(body: Data(body.utf8), mediaType: type), as: UTF8.self)
    }
}

extension HAR.Entry {
    /// Parses an entry.
    static func parsed(_ text: String) throws -> HAR.Entry {
        var fields = JSONObject()
        if case .object(let object) = try JSONValue(parsing: text) { fields = object }
        return HAR.Entry(fields: fields)
    }

    /// The text of the entry in the unchanged layout.
    var text: String { String(decoding: JSONValue.object(fields).data(layout: .unchanged), as: UTF8.self) }
}
