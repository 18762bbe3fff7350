import Foundation
import Relay

func recordingRules() -> [Rule] {
    let rules: [Rule] = [.record("api.example.com/prices/**", .all), .record("api.example.com/**", .new)]
    return rules
}

func record(loadNames: () async throws -> [String]) async throws -> [String] {
    let interceptor = try Interceptor(recordingTo: URL(fileURLWithPath: "shop.har"))
    let names = try await interceptor.interceptEverySession { try await loadNames() }
    let report = await interceptor.finishRecording()
    print(report?.recordedCount ?? 0, report?.failures ?? [])
    return names
}

func recordByMode(loadNames: () async throws -> [String]) async throws {
    let interceptor = try Interceptor.replaying("shop", mode: .new)
    let names = try await interceptor.interceptEverySession { try await loadNames() }
    await interceptor.finishRecording(keeping: !names.isEmpty)
}

private struct Account: Codable {
    var name: String
}

func recordInMemory(
    _ configuration: Interceptor.Configuration, loadNames: () async throws -> [String]
) async throws -> Int {
    var configuration = configuration
    configuration.recording.filters = [
        .drop("server errors") { ($0.response?.status ?? 0) >= 500 },
        .keepHeaders("Accept", "Content-Type"),
        .removeQueryItems("utm_source"),
        .changeJSON { (account: inout Account) in account.name = "Anna" },
    ]
    let interceptor = Interceptor(recordingInMemory: "shop", configuration: configuration)
    _ = try await interceptor.interceptEverySession { try await loadNames() }
    let entries = await interceptor.recordedEntries
    return entries.count
}

func recordingSettings() -> Interceptor.Configuration {
    var configuration = Interceptor.Configuration()
    configuration.recording.bodies = .attach
    configuration.recording.mediaTypes = ["application/json", "text/*"]
    configuration.recording.maximumBodySize = 10_000_000
    configuration.recording.repeatable = .init()
    configuration.recording.redaction?.jsonKeys = ["socialSecurityNumber"]
    configuration.recording.redaction?.headers = ["X-Tenant"]
    configuration.recording.redaction?.patterns = ["ORDER-[0-9]{8}"]
    return configuration
}
