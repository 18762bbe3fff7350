import Foundation

@testable import HTTPArchive

/// Writes the events in each layout and reads them again.
///
/// Then changes one field of one entry. Nothing else must change.
func checkWriting(_ input: Input) {
    let reading = Reading(input.document)
    // A log without entries is not an archive, and the writer adds an empty array.
    guard reading.events.contains(.beginEntries) else { return }
    for layout in [JSONLayout.unchanged, .compact, .pretty] {
        let (text, again) = rewritten(reading.events, layout)
        expectSame(again.events, reading.events, "Written \(layout)")
        if layout == .unchanged {
            // Whitespace that JSON does not allow is written as spaces.
            let expected = texts(of: reading, in: input.document).map {
                JSONText.withoutOtherWhitespace(Array($0))[...]
            }
            expectEqual(texts(of: again, in: text), expected, "Texts of entries")
        }
    }
    checkChange(reading, input)
}

/// Writes events and reads the result.
private func rewritten(_ events: [HAREvent], _ layout: JSONLayout) -> ([UInt8], Reading) {
    do throws(HARError) {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        let writer = try HARWriter(to: TemporaryFile.url, configuration: configuration)
        for event in events { try writer.write(event) }
        try writer.finish()
    } catch {
        fail("Events that were read cannot be written: \(error)")
    }
    let text = TemporaryFile.bytes
    let again = Reading(text)
    // A log with a misspelled `entries` is not an archive.
    if let code = again.code, code != .notAnArchive {
        fail("\(code) in the written archive:\n\(String(decoding: text, as: UTF8.self))")
    }
    return (text, again)
}

/// Compares events, except that the end events can be missing from the expected events of a truncated document.
private func expectSame(_ events: [HAREvent], _ expected: [HAREvent], _ what: String) {
    expectEqual(Array(events.prefix(expected.count)), expected, what)
    let isMore = events.dropFirst(expected.count).contains { $0 != .endEntries && $0 != .endLog }
    if isMore { fail("\(what): more events than were read") }
}

private func texts(of reading: Reading, in document: [UInt8]) -> [ArraySlice<UInt8>] {
    reading.ranges.map { range in
        guard let range, document.indices.contains(range) else { fail("An entry without a byte range.") }
        return document[range]
    }
}

private func checkChange(_ reading: Reading, _ input: Input) {
    let places = reading.events.indices.filter { if case .entry = reading.events[$0] { true } else { false } }
    guard !places.isEmpty else { return }
    let place = places[input.choice(0, of: places.count)]
    guard case .entry(var entry) = reading.events[place] else { return }
    var members = entry.fields.members
    let names = members.map(\.name.text) + ["_new"]
    let name = names[input.choice(1, of: names.count)]
    entry[name] = "changed"
    if let index = members.lastIndex(where: { $0.name == JSONString(name) }) {
        members[index].value = "changed"
    } else {
        members.append(.init(name: JSONString(name), value: "changed"))
    }
    expectEqual(entry.fields.members, members, "Setting \(name)")
    var events = reading.events
    events[place] = .entry(entry)
    expectSame(rewritten(events, .unchanged).1.events, events, "With \(name) changed")
}
