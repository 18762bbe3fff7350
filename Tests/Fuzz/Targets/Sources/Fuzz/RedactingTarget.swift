import Foundation

@testable import HTTPArchive

private let redactor: HARRedactor = {
    var configuration = HARRedactor.Configuration()
    configuration.key = .init(phrase: "a key of the fuzz targets")
    guard let redactor = try? HARRedactor(configuration) else { fail("The default settings are rejected.") }
    return redactor
}()

/// Redacts the document as each kind of body, as parts of an entry, and as an entry.
func checkRedacting(_ input: Input) {
    let body = Data(input.document)
    for type in ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil] {
        let redacted = redactor.redacted(body: body, mediaType: type)
        var pieces = Data()
        try? redactor.redact(body: body, mediaType: type) { pieces += $0 }
        expectEqual(pieces, redacted, "Body in chunks")
    }
    for line in input.lines {
        _ = redactor.redacted(url: line)
        for name in ["Cookie", "Set-Cookie", "Authorization", "Location", "X"] {
            _ = redactor.redacted(header: line, named: name)
        }
        _ = HARRedactor.withoutKeys(line)
    }
    guard let fields = (try? JSONValue(parsing: body))?.object else { return }
    let redacted = redactor.redacted(HAR.Entry(fields: fields))
    let written = JSONValue.object(redacted.fields).data()
    guard (try? JSONValue(parsing: written)) != nil else { fail("The redacted entry is not JSON.") }
}
