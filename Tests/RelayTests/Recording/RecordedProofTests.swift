import Foundation
import HTTPArchive
import PlantedSecrets
import Relay
import TestSupport
import Testing

@testable import RelayCore

/// Checks that recordings contain none of the secrets planted in exchanges, and that requests with them still match.
@Suite(.limited) struct RecordedProofTests {
    private static let groupCount = 8
    private static let redaction: HARRedactor.Configuration = {
        var redaction = HARRedactor.Configuration()
        redaction.key = HARRedactor.Key(phrase: "a key of the tests")
        return redaction
    }()

    private static func places(in group: Int) -> [PlantPlace] {
        PlantPlace.all(in: group, of: groupCount).filter(\.isExchanged)
    }

    /// Returns the exchange that an entry describes.
    private static func exchange(_ entry: HAR.Entry) -> CapturedExchange {
        let headers = entry.response.headers.map { HeaderField(name: $0.name, value: $0.value) }
        let type = [HeaderField(name: "Content-Type", value: entry.response.content.mimeType)]
        return CapturedExchange(
            request: InterceptedRequest(recorded: entry.request, folder: nil, withBody: true),
            start: Date(timeIntervalSince1970: 0),
            head: CapturedExchange.Head(status: entry.response.status, headers: type + headers),
            body: SpooledBody(entry.response.body.data ?? Data()), wire: CapturedExchange.Wire(httpVersion: "HTTP/1.1"))
    }

    private static func expect(_ left: [String], _ place: PlantPlace, _ test: String) {
        #expect(left.isEmpty, "\(test): \(place.title)")
    }

    @Test(arguments: 0..<groupCount)
    func `a recording contains no secrets and equals an archive that is redacted later`(group: Int) throws {
        let redactor = try HARRedactor(Self.redaction)
        let folder = URL(fileURLWithPath: "/no-folder")
        for place in Self.places(in: group) {
            let secrets = place.secrets[0]
            let exchange = Self.exchange(place.entry(PlantProof.mixed(secrets, place.decoys)))
            let recorded = try EntryBuilder(folder: folder, redactor: redactor).entry(for: exchange, page: nil)
            Self.expect(PlantProof.names(of: secrets, in: recorded.plantedText), place, "recording")
            let plain = try EntryBuilder(folder: folder).entry(for: exchange, page: nil)
            #expect(redactor.redacted(plain).fields == recorded.fields, "\(place.title)")
        }
    }

    @Test(arguments: 0..<groupCount)
    func `attached bodies and their file names contain no secrets`(group: Int) throws {
        let redactor = try HARRedactor(Self.redaction)
        var settings = RecordingConfiguration()
        settings.bodies = .attach
        let archives = try TemporaryArchives()
        for place in Self.places(in: group) {
            let folder = archives.folder.appendingPathComponent("\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let secrets = place.secrets[0]
            let exchange = Self.exchange(place.entry(PlantProof.mixed(secrets, place.decoys)))
            let entry = try EntryBuilder(settings: settings, folder: folder, redactor: redactor)
                .entry(for: exchange, page: nil)
            var text = entry.plantedText
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let data = try? Data(contentsOf: folder.appendingPathComponent(name))
                text += Array(name.utf8) + [0x0A] + [UInt8](data ?? Data()) + [0x0A]
            }
            var left = PlantProof.names(of: secrets, in: text)
            if left.isEmpty {
                let texts = [exchange.body.data, exchange.request.body ?? Data()] + secrets.map { Data($0.value.utf8) }
                let written = String(decoding: text, as: UTF8.self)
                if Self.hashes(of: texts).contains(where: written.contains) { left = ["hash"] }
            }
            Self.expect(left, place, "attaching")
        }
    }

    private static func hashes(of texts: [Data]) -> [String] {
        texts.filter { !$0.isEmpty }.flatMap { text in
            HashAlgorithm.allCases.map { Hexadecimal.text($0.hash(of: text)) }
        }
    }

    @Test(arguments: 0..<groupCount)
    func `a request that contains secrets matches its entry with any key`(group: Int) throws {
        var configuration = Interceptor.Configuration()
        configuration.matching = .strict
        configuration.recording.redaction = Self.redaction
        let redactor = try HARRedactor(Self.redaction)
        let folder = URL(fileURLWithPath: "/no-folder")
        for place in Self.places(in: group) where place.part == .request {
            let secrets = place.secrets[0]
            let exchange = Self.exchange(place.entry(PlantProof.mixed(secrets, place.decoys)))
            let entry = try EntryBuilder(folder: folder, redactor: redactor).entry(for: exchange, page: nil)
            var other = HAR.Entry(fields: entry.fields)
            other.request = HAR.Request(method: exchange.request.method, url: "https://other.test/")
            var failures: [String] = []
            for phrase in ["a key of the tests", "another key of the tests"] {
                configuration.recording.redaction?.key = HARRedactor.Key(phrase: phrase)
                let interceptor = Interceptor(entries: [other, entry], name: "a.har", configuration: configuration)
                let response = try? interceptor.response(to: exchange.request)
                if response == nil || interceptor.report.missCount > 0 {
                    failures.append(phrase.replacing(" ", with: "-"))
                }
            }
            Self.expect(failures, place, "matching")
        }
    }
}

extension PlantPlace {
    /// Whether the names and values are in parts of an exchange, not in fields that only archives have.
    fileprivate var isExchanged: Bool {
        guard part != .other else { return false }
        let plants = secrets[0]
        let entry = entry(plants)
        let empty = self.entry([])
        guard entry.request.url.hasPrefix("https:") else { return false }
        return entry.request.url != empty.request.url || entry.request.headers != empty.request.headers
            || entry.request.postData?.text != empty.request.postData?.text
            || entry.response.headers != empty.response.headers
            || entry.response.content.text != empty.response.content.text
    }
}
