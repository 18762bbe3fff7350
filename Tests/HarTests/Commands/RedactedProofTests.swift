import Foundation
import HTTPArchive
import PlantedSecrets
import TestSupport
import Testing

/// Tests that secrets of many kinds remain neither in body files nor in the output of any command.
@Suite(.limited) struct RedactedProofTests {
    private static func log(_ entries: [HAR.Entry]) -> HAR.Log {
        HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries)
    }

    /// Returns the names and the contents of all files in a folder.
    private static func files(in folder: URL) throws -> [(name: String, text: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, [UInt8]((try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()))
        }
    }

    @Test func `body files, their names and messages contain no secrets after redaction`() async throws {
        let folder = try TemporaryFolder()
        let output = folder.url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: false)
        let all = PlantPlace.all.filter { $0.part == .response && $0.name.hasPrefix("content") }
        let places = Cases.some(all.count / 4, of: all)
        var entries: [HAR.Entry] = []
        for (index, place) in places.enumerated() {
            var entry = place.entry(PlantProof.mixed(place.secrets[0], place.decoys))
            let body = entry.response.body.data ?? Data()
            let name =
                index % 2 == 0 ? "body-\(index).bin" : Hexadecimal.text(HashAlgorithm.sha1.hash(of: body)) + ".txt"
            try folder.write(body, to: name)
            entry.response.content.fields["text"] = nil
            entry.response.content.fields["encoding"] = nil
            entry.response.content["_file"] = .string(JSONString(name))
            entries.append(entry)
        }
        try folder.write(Self.log(entries), to: "a.har")
        let run = try await HarRun("redact", "a.har", "out/b.har", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let messages = Array((run.errors + run.output).utf8)
        let redacted = try HAR.Log(contentsOf: output.appendingPathComponent("b.har"))
        for (index, place) in places.enumerated() {
            let name = redacted.entries[index].response.content["_file"]?.text ?? ""
            let body = (try? Data(contentsOf: output.appendingPathComponent(name))) ?? Data()
            var text = Array(name.utf8) + [0x0A] + [UInt8](body) + messages + redacted.entries[index].plantedText
            text += [0x0A]
            #expect(PlantProof.names(of: place.secrets[0], in: text) == [], "\(place.title)")
            let old = entries[index].response.content["_file"]?.text ?? ""
            #expect((name == old) == old.hasPrefix("body-"), "\(place.title): \(old) \(name)")
        }
    }

    /// Returns an archive with up to two secrets in each location, and these secrets.
    private static func planted(_ isIncluded: (PlantPlace) -> Bool) -> (log: HAR.Log, secrets: [(PlantPlace, [Plant])])
    {
        let included = PlantPlace.all.enumerated().filter { isIncluded($0.element) }
        let places = Cases.some(included.count / 4, of: included)
        let secrets = places.map { index, place in
            let all = place.secrets.flatMap(\.self)
            let names = place.batch == 1 ? [index % all.count] : [index % all.count, (index + 29) % all.count]
            return (place, names.map { all[$0] })
        }
        return (log(secrets.map { $0.0.entry($0.1 + $0.0.decoys.prefix(3)) }), secrets)
    }

    /// Records an issue for each location whose secrets are in the output of a command.
    private static func expect(none secrets: [(PlantPlace, [Plant])], in text: String, of command: String) {
        let text = Array(text.utf8)
        // Most texts contain no secrets, so one search for all secrets is usually enough.
        if PlantProof.names(of: secrets.flatMap(\.1), in: text).isEmpty { return }
        for (place, secrets) in secrets {
            #expect(PlantProof.names(of: secrets, in: text) == [], "\(command): \(place.title)")
        }
    }

    @Test(arguments: [
        ["check"], ["check", "--secrets"], ["check", "--json"], ["inspect"], ["replay", "--verbose"], ["redact"],
    ])
    func `the output of a command contains no secrets from its archive`(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let (log, secrets) = Self.planted { command[0] != "replay" || $0.entry([]).request.url.hasPrefix("https:") }
        try folder.write(log, to: "a.har")
        let arguments = command + ["a.har"] + (command == ["redact"] ? ["b.har"] : [])
        let run = try await HarRun(arguments, in: folder)
        #expect(!run.output.isEmpty || !run.errors.isEmpty)
        Self.expect(none: secrets, in: run.output + run.errors, of: command.joined(separator: " "))
    }

    @Test func `the output of a failed recording contains no secrets`() async throws {
        let folder = try TemporaryFolder()
        let (log, secrets) = Self.planted { place in
            place.part == .request && place.entry([]).request.url.hasPrefix("https:")
                && place.entry(Array(place.secrets[0].prefix(1))).request.url != place.entry([]).request.url
        }
        // The port is closed, so nothing is sent.
        let refusing = try RefusingPort()
        let urls = log.entries.map { entry in
            entry.request.url.replacing(/^https:\/\/([^@\/?#]*@)?[^\/?#;]+/) {
                "http://\($0.output.1 ?? "")127.0.0.1:\(refusing.port)"
            }
        }
        let run = try await HarRun(["record", "a.har", "--"] + urls, in: folder)
        #expect(run.status == 1)
        Self.expect(none: secrets, in: run.output + run.errors, of: "record")
        Self.expect(
            none: secrets, in: String(decoding: try folder.read("a.har"), as: UTF8.self), of: "record, archive")
    }
}
