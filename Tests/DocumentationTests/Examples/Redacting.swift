import HTTPArchive

func redactEntries(_ reader: HARReader, _ writer: HARWriter) throws {
    let redactor = try HARRedactor()
    while let entry = try reader.nextEntry() {
        try writer.append(redactor.redacted(entry))
    }
}

func redactEntry(_ writer: HARWriter, _ entry: HAR.Entry) throws {
    let redactor = try HARRedactor()
    try writer.append(redactor.redacted(entry))
}

func ownRedactor() throws -> HARRedactor {
    var configuration = HARRedactor.Configuration()
    configuration.jsonKeys = ["iban", "birthDate"]
    configuration.patterns = [#"employee-(\d+)"#]
    configuration.allowedValues = ["test-password"]
    let redactor = try HARRedactor(configuration)
    return redactor
}
