import Foundation

@testable import HTTPArchive
@testable import ImportFormats
@testable import RecordingFormats

/// Imports the document as a recording made by another tool, in JSON or YAML.
///
/// Either the import fails, or its entries can be written to an archive and are equal when read again. The input
/// chooses the format or automatic detection.
func checkImporting(_ input: Input) {
    let data = Data(input.document)
    let file = file(data, isYAML: input.choice(1, of: 2) == 1)
    if let failure = file.failure { check(failure) }
    checkLeniency(data)

    let formats = ImportFormats.all
    let choice = input.choice(0, of: formats.count + 1)
    let detected = ImportFormats.all.format(of: file)
    guard let format = choice == 0 ? detected : formats[choice - 1] else { return }
    do throws(HARError) {
        let entries = try format.entries(of: file)
        check(entries, format)
        check(format.arranged([entries, entries]), format)
        _ = [entries, entries].mergedByTime
    } catch {
        check(error)
    }
}

private func file(_ data: Data, isYAML: Bool) -> RecordingFile {
    let url = mappings.appendingPathComponent("people.json")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    return isYAML
        ? RecordingFile(url: url, folder: mappings, date: date, data: data, parse: YAMLDocument.value(of:))
        : RecordingFile(url: url, folder: mappings, date: date, data: data)
}

/// The folder of the recordings, next to the folder with WireMock's body files.
private let mappings: URL = {
    let bodies = TemporaryFile.folder.appendingPathComponent("__files")
    guard (try? FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)) != nil,
        (try? Data("body".utf8).write(to: bodies.appendingPathComponent("body"))) != nil
    else { fail("Cannot create the folder \(bodies).") }
    return TemporaryFile.folder.appendingPathComponent("mappings/mocks")
}()

private func check(_ error: HARError) {
    guard [.malformedRecording, .malformedJSON, .limitExceeded, .unreadableFile].contains(error.code) else {
        fail("\(error)")
    }
}

private func check(_ entries: [HAR.Entry], _ format: any RecordingFormat.Type) {
    do throws(HARError) {
        var configuration = HARWriter.Configuration()
        configuration.layout = .pretty
        let writer = try HARWriter(to: TemporaryFile.url, configuration: configuration)
        for entry in entries { try writer.append(entry) }
        if entries.isEmpty { try writer.write(HAR.Log(creator: .relay)) {} }
        try writer.finish()
    } catch {
        fail("Writing entries of \(format.name): \(error)")
    }
    let reading = Reading(TemporaryFile.bytes)
    expectEqual(reading.code, nil, "The error of the archive")
    expectEqual(reading.entries, entries, "Entries of \(format.name)")
    if let finding = reading.findings.first(where: { $0.severity == .error }) {
        fail("\(format.name): \(finding)\n\(String(decoding: TemporaryFile.bytes, as: UTF8.self))")
    }
    let dates = entries.map { $0.startedDate ?? .distantPast }
    if zip(dates, dates.dropFirst()).contains(where: { $0 > $1 }) { fail("\(format.name): times are not ascending") }
}

/// Checks that the lenient and the strict parser agree on valid JSON, and that the lenient parser ignores a byte order
/// mark.
private func checkLeniency(_ data: Data) {
    let lenient = try? LenientJSON.value(of: data)
    if let strict = try? JSONValue(parsing: data) { expectEqual(lenient, strict, "Strict JSON") }
    guard let lenient, !data.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    expectEqual(try? LenientJSON.value(of: [0xEF, 0xBB, 0xBF] + data), lenient, "With a byte order mark")
}
