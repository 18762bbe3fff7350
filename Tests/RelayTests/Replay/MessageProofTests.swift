import Foundation
import HTTPArchive
import Logging
import PlantedSecrets
import Relay
import Testing

@testable import RelayCore
import RelayLogging
@testable import RelayURLSession

/// Checks that printed messages contain none of the secrets planted in every part of a request.
@Suite(.limited) struct MessageProofTests {
    private static let groupCount = 8

    private static func places(in group: Int) -> [PlantPlace] {
        PlantPlace.all(in: group, of: groupCount).filter {
            $0.part == .request && $0.entry([]).request.url.hasPrefix("https:")
        }
    }

    /// Returns sets of secrets for a place: three single secrets, so that no message is shortened, and one full set.
    private static func secrets(of place: PlantPlace) -> [[Plant]] {
        let all = place.secrets.flatMap(\.self)
        let first = place.title.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        let some = (0..<3).map { [all[(first + $0 * 17) % all.count]] }
        return some + place.secrets.prefix(1)
    }

    private static func request(_ place: PlantPlace, _ plants: [Plant]) -> InterceptedRequest {
        InterceptedRequest(recorded: place.entry(plants).request, folder: nil, withBody: true)
    }

    private static func expect(_ left: Set<String>, _ place: PlantPlace, _ test: String = "messages") {
        #expect(left.isEmpty, "\(test): \(place.title)")
    }

    @Test(arguments: 0..<groupCount)
    func `misses, explanations, reports, log lines and curl commands contain no secrets`(group: Int) throws {
        for place in Self.places(in: group) {
            var left: Set<String> = []
            for secrets in Self.secrets(of: place) {
                let messages = try Self.messages(place, secrets)
                let all = Array(messages.map(\.text).joined(separator: "\n").utf8)
                if PlantProof.names(of: secrets, in: all).isEmpty { continue }
                for (kind, text) in messages {
                    let names = PlantProof.names(of: secrets, in: Array(text.utf8))
                    if !names.isEmpty { left.insert(kind) }
                }
            }
            Self.expect(left, place)
        }
    }

    /// Returns everything that is printed about a request without a match.
    private static func messages(_ place: PlantPlace, _ secrets: [Plant]) throws -> [(kind: String, text: String)] {
        let request = request(place, secrets)
        let others = secrets.map { Plant(name: $0.name, value: "Q" + $0.value.reversed(), isSecret: true) }
        var recorded = place.entry(others)
        recorded.request.method = "PUT"
        var configuration = Interceptor.Configuration()
        configuration.matching = .strict
        let lines = Log<String>()
        configuration.logger = Logger(label: "test") { _ in NotingHandler(lines: lines) }
        let interceptor = Interceptor(
            entries: [recorded, .entry("GET", "https://a.test/b")], name: "a.har", configuration: configuration)
        var texts = [("curl", request.curlCommand())]
        do {
            _ = try interceptor.response(to: request)
        } catch {
            texts.append(("miss", "\(error)"))
        }
        texts.append(("report", "\(interceptor.report) \(interceptor.report.misses)"))
        texts.append(("explanation", "\(interceptor.explanation(of: request))"))
        let exchange = ObservedExchange(
            request: request, source: .nothing, result: .failure(URLError(.timedOut)), bodySize: 0, duration: .zero)
        interceptor.observe(exchange)
        texts.append(("exchange", "\(exchange)"))
        return texts + lines.events.map { ("log", $0) }
    }

    @Test(arguments: 0..<groupCount)
    func `the error of a failed override contains no secrets`(group: Int) async throws {
        for place in Self.places(in: group) {
            let secrets = place.secrets[0]
            let interceptor = Interceptor(name: "a.har", configuration: .patient)
            interceptor.add([.stub(.any, .text("plain")), .override(.any, try .json(at: "/a", 1))])
            let decision = interceptor.decide(on: Self.request(place, secrets)).decision
            let reply = await decision.reply(
                within: TimeLimit(duration: .seconds(3600), clock: ContinuousClock(), subject: "x"), live: nil)
            let error = #expect(throws: RelayError.self) { try reply.result.get() }
            let names = PlantProof.names(of: secrets, in: Array("\(error.map { "\($0)" } ?? "")".utf8))
            Self.expect(names.isEmpty ? [] : ["override"], place, "overrides")
        }
    }
}
