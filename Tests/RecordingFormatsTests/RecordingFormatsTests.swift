import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import TestSupport
import Testing

@Suite(.limited) struct RecordingFormatsTests {
    @Test(arguments: Recordings.all)
    func `only the correct format recognizes a recording`(name: String, kind: String) throws {
        let file = try Recordings.file(name)
        #expect(ImportFormats.all.filter { $0.recognizes(file) }.map { $0.name } == [kind])
        #expect(ImportFormats.all.format(of: file)?.name == kind)
    }

    @Test(arguments: [
        "{}", "[]", "null", "7", #""text""#, "[[]]", "[{}]", #"{"log": {}}"#, #"{"log": {"entries": []}}"#,
        #"{"log": {"creator": {"name": "Firefox"}, "entries": []}}"#, #"{"name": "package", "version": "1.0"}"#,
        #"{"request": {}, "response": {}}"#, "",
        #"{"consumer": {}, "interactions": [{"request": {"path": "/"}, "response": {"status": 200}}]}"#, "12:",
        "no JSON",
    ])
    func `no format recognizes other files`(text: String) {
        #expect(ImportFormats.all.format(of: RecordingFile(text)) == nil)
    }

    @Test(arguments: ["{}", "[]", "null", "7", #""text""#, "[[]]", "[{}]", #"{"log": {"entries": [7]}}"#, "x"])
    func `a file in another format is rejected with a location, or has no entries`(text: String) throws {
        for format in ImportFormats.all {
            do throws(HARError) {
                #expect(try format.entries(of: RecordingFile(text)).isEmpty)
            } catch {
                #expect(error.context.file == "/recordings/a.json")
                #expect(error.context.pointer != nil || error.context.byteOffset != nil)
            }
        }
    }

    @Test(arguments: Recordings.all)
    func `a truncated recording is rejected or has fewer entries`(name: String, kind: String) throws {
        let file = try Recordings.file(name)
        let format = try #require(ImportFormats.all.first { $0.name == kind })
        for count in stride(from: 0, to: file.data.count, by: max(1, file.data.count / 200)) {
            let part = RecordingFile(url: file.url, date: file.date, data: file.data.prefix(count))
            _ = ImportFormats.all.format(of: part)
            do throws(HARError) {
                _ = try format.entries(of: part)
            } catch {
                #expect(error.context.file != nil)
            }
        }
    }

    @Test(arguments: Recordings.all)
    func `a recording with a missing value or a value of another type is readable or an error`(
        name: String, kind: String
    ) throws {
        let file = try Recordings.file(name)
        guard let value = file.value else { return }
        let format = try #require(ImportFormats.all.first { $0.name == kind })
        for broken in Cases.some(80, of: Self.variants(of: value).prefix(600)) {
            let part = RecordingFile(url: file.url, date: file.date, data: broken.data())
            _ = ImportFormats.all.format(of: part)
            do throws(HARError) {
                _ = try format.entries(of: part)
            } catch {
                #expect(error.context.file != nil)
            }
        }
    }

    /// Returns variants of a value, each with one nested value replaced or removed.
    private static func variants(of value: JSONValue) -> [JSONValue] {
        var variants: [JSONValue] = [nil, 7, "x", [], [:], -1, true]
        switch value {
        case .array(let elements):
            for index in elements.indices {
                for variant in Self.variants(of: elements[index]) {
                    var elements = elements
                    elements[index] = variant
                    variants.append(.array(elements))
                }
            }
        case .object(let object):
            let members = object.members
            for index in members.indices {
                var fewer = members
                fewer.remove(at: index)
                variants.append(.object(JSONObject(members: fewer)))
                for variant in Self.variants(of: members[index].value) {
                    var members = members
                    members[index].value = variant
                    variants.append(.object(JSONObject(members: members)))
                }
            }
        default: break
        }
        return variants
    }

    @Test func `reading a missing file or a folder fails`() {
        #expect(throws: HARError.self) { try Recordings.file("missing.json") }
        #expect(throws: HARError.self) { try Recordings.file("relay") }
    }
}
