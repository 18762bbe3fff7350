package import HTTPArchive

/// Sends the requests of an archive again, and compares the responses.
package struct Verifier: Sendable {
    /// Settings of a ``Verifier``.
    package struct Configuration: Sendable {
        /// The maximum number of requests at the same time; nil (the default) for as many as when they were recorded, but at
        /// most 16.
        package var concurrency: Int?

        /// Whether to wait as long between requests as when they were recorded.
        package var keepsPace = false

        /// Whether to report differences between values, in addition to shapes, with this closure.
        package var valueDifferences: (@Sendable (_ recorded: HAR.Entry, _ current: HAR.Entry) -> [Shape.Difference])?

        /// Creates the default settings.
        package init() {}
    }

    /// A request that is ready to be sent.
    struct Prepared {
        let request: OutgoingRequest
        let recorded: HAR.Entry
    }

    /// A closure that sends a request.
    package typealias Transport = @Sendable (OutgoingRequest) async -> Result<LiveResponse, LiveFailure>

    let archive: HARArchive
    let plan: VerificationPlan
    let destinations: Destinations
    let secrets: VerificationSecrets
    let redactor: HARRedactor
    let configuration: Configuration

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - plan: The requests to send.
    ///   - destinations: The servers.
    ///   - secrets: The secrets that replace placeholders.
    ///   - redactor: The redactor for current responses, which are redacted before they are compared.
    ///   - configuration: The settings.
    package init(
        _ archive: HARArchive, _ plan: VerificationPlan, to destinations: Destinations,
        secrets: VerificationSecrets = VerificationSecrets([:]), redactor: HARRedactor,
        configuration: Configuration = Configuration()
    ) {
        self.archive = archive
        self.plan = plan
        self.destinations = destinations
        self.secrets = secrets
        self.redactor = redactor
        self.configuration = configuration
    }

    /// Sends all requests.
    ///
    /// - Parameters:
    ///   - transport: The closure that sends a request.
    ///   - progress: A closure that is called with the number of finished requests.
    /// - Returns: The differences, and the requests that were not sent.
    /// - Throws: Any error from reading the archive.
    package func run(
        with transport: @escaping Transport, progress: (Int) -> Void = { _ in }
    ) async throws -> VerificationReport {
        var run = VerificationRun(self)
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: (Int, Result<LiveResponse, LiveFailure>).self) { group in
            for (number, step) in plan.steps.enumerated() {
                while run.mustWait(for: step), let (done, result) = try await group.next() {
                    try run.finish(done, result)
                    progress(run.report.responseCount)
                }
                if configuration.keepsPace {
                    let offset = Duration(clampingSeconds: max(0, step.start))
                    try await clock.sleep(until: start.advanced(by: offset))
                }
                guard let request = try run.begin(number) else { continue }
                group.addTask { (number, await transport(request)) }
            }
            while let (done, result) = try await group.next() {
                try run.finish(done, result)
                progress(run.report.responseCount)
            }
            run.finish()
            return run.report
        }
    }

    /// The requests as they would be sent if all recorded values were current, without sending them.
    ///
    /// - Returns: The entries with the URLs, or with the reasons for not sending them, in order.
    /// - Throws: Any error from reading the archive.
    package func preview() throws(HARError) -> [(entry: Int, url: Result<String, VerificationPlan.Reason.Failure>)] {
        var run = VerificationRun(self)
        var result: [(entry: Int, url: Result<String, VerificationPlan.Reason.Failure>)] = []
        for (entry, reason) in plan.skipped { result.append((entry, .failure(.init(reason: reason)))) }
        for number in plan.steps.indices {
            let entry = plan.steps[number].entry
            if let request = try run.begin(number) {
                result.append((entry, .success(request.url)))
                run.end(number)
            } else if let reason = run.report.skipped[entry] {
                result.append((entry, .failure(.init(reason: reason))))
            }
        }
        return result.sorted { $0.entry < $1.entry }
    }
}

extension VerificationPlan.Reason {
    /// A reason as an error.
    package struct Failure: Error {
        /// The reason.
        package let reason: VerificationPlan.Reason
    }
}

/// The state of a verification.
struct VerificationRun {
    private let verifier: Verifier

    private(set) var report = VerificationReport()

    /// The requests without a response yet, by the number of their step.
    private var running: [Int: Verifier.Prepared] = [:]

    private var cookies = LiveCookies()

    /// The current values that later requests need.
    private var values: [GivenValue: String] = [:]

    /// The recorded and current responses of an endpoint by status, and their entries.
    private struct Compared {
        var recorded: [Int: MessageShape] = [:]
        var current: [Int: MessageShape] = [:]
        var entries: [Int: [Int]] = [:]
    }

    /// The responses that were compared, by endpoint.
    private var compared: [Endpoint.Key: Compared] = [:]

    /// The responses that have no findings so far, up to a limit.
    private var kept: [Int: LiveResponse] = [:]

    /// The size of the bodies in ``kept``, in bytes.
    private var keptSize = 0

    /// The maximum of ``keptSize``.
    private static let keptLimit = 100_000_000

    /// The servers that do not respond, and the reasons.
    private var unavailable: [String: String] = [:]

    /// The number of requests without a response in time since the last response, by server.
    private var timeouts: [String: Int] = [:]

    /// The differences of responses with status 401 and 407, by server.
    private var refusals: [String: [(endpoint: Endpoint, entry: Int, difference: Shape.Difference)]] = [:]

    /// The servers with other responses.
    private var accepting: Set<String> = []

    init(_ verifier: Verifier) {
        self.verifier = verifier
        report.skipped = verifier.plan.skipped
    }

    /// Returns whether a request must not start before another one has ended.
    func mustWait(for step: VerificationPlan.Step) -> Bool {
        if running.isEmpty { return false }
        if running.count >= verifier.configuration.concurrency ?? 16 { return true }
        let sources = Set((verifier.plan.carried.uses[step.entry] ?? []).map(\.source.entry))
        return running.keys.contains { number in
            let other = verifier.plan.steps[number]
            if sources.contains(other.entry) { return true }
            return verifier.configuration.concurrency == nil && other.end <= step.start
        }
    }

    /// Returns the request of a step, or nil if it is not sent.
    mutating func begin(_ number: Int) throws(HARError) -> OutgoingRequest? {
        let index = verifier.plan.steps[number].entry
        let entry = try verifier.archive.entry(at: index)
        var request = OutgoingRequest(entry.request, in: verifier.archive.bodyFolder)
        guard let recordedURL = verifier.destinations.url(for: request.url) else { return nil }
        let server = NormalizedURL(recordedURL).origin
        if let reason = unavailable[server] { return skip(index, .unavailable(reason)) }
        if let reason = carry(values, to: &request, of: index) { return skip(index, reason) }
        cookies.apply(to: &request, sentTo: recordedURL)
        if let name = verifier.secrets.fill(&request).first { return skip(index, .missingSecret(name)) }
        request.url = verifier.destinations.url(for: request.url) ?? recordedURL
        for position in request.headers.indices
        where ["origin", "referer"].contains(request.headers[position].name.lowercased()) {
            request.headers[position].value =
                verifier.destinations.replacingOrigin(in: request.headers[position].value)
        }
        running[number] = Verifier.Prepared(request: request, recorded: entry)
        return request
    }

    /// Ends a request that was not sent.
    mutating func end(_ number: Int) { running[number] = nil }

    private mutating func skip(_ entry: Int, _ reason: VerificationPlan.Reason) -> OutgoingRequest? {
        report.skipped[entry] = reason
        return nil
    }

    /// Replaces recorded values with current ones, or returns the reason why the request cannot be sent.
    private mutating func carry(
        _ values: [GivenValue: String], to request: inout OutgoingRequest, of entry: Int
    ) -> VerificationPlan.Reason? {
        for use in verifier.plan.carried.uses[entry] ?? [] {
            if let value = values[use.source] {
                guard value != use.text else { continue }
                request.replace(at: use.location, use.text, with: value)
                report.carriedCount += 1
            } else {
                switch report.skipped[use.source.entry] {
                // A secret can replace a placeholder.
                case .unsafeMethod, .dependency, .missingSecret:
                    if !use.text.contains("REDACTED") { return .dependency(use.source.entry) }
                case nil where report.responseCount > 0: report.fallbacks.insert(entry)
                default: break
                }
            }
        }
        return nil
    }

    /// Compares the response to a request.
    mutating func finish(_ number: Int, _ result: Result<LiveResponse, LiveFailure>) throws(HARError) {
        guard let prepared = running.removeValue(forKey: number) else { return }
        let index = verifier.plan.steps[number].entry
        let server = NormalizedURL(prepared.request.url).origin
        switch result {
        case .success(let live):
            timeouts[server] = 0
            report.responseCount += 1
            cookies.store(live.response, of: prepared.request.url)
            if let needed = verifier.plan.carried.needed[index] {
                let found = ResponseValues(live.response, in: nil)
                for value in needed { values[value] = found.text(at: value.location) }
            }
            if verifier.plan.steps[number].isSelected { try compare(live, with: prepared, at: index, from: server) }
        case .failure(.notRecorded): report.skipped[index] = .notRecorded
        case .failure(.unreachable(let reason)):
            unavailable[server] = "\(server): \(reason)"
            report.skipped[index] = .unavailable("\(server): \(reason)")
        case .failure(.timedOut):
            timeouts[server, default: 0] += 1
            if timeouts[server] == 2 { unavailable[server] = "\(server): no response in time" }
            report.skipped[index] = .unavailable("\(server): no response in time")
        case .failure(.failed(let reason)):
            guard let endpoint = endpoint(of: prepared.recorded) else { return }
            let difference = ResponseComparison.difference(
                .changed, "request fails", "\(prepared.recorded.response.status)", reason, at: JSONPointer())
            report.findings.add([difference], in: "status", of: endpoint, entry: index)
        }
    }

    private func endpoint(of entry: HAR.Entry) -> Endpoint? {
        EndpointRequest(entry.request, in: verifier.archive.bodyFolder)
            .flatMap { verifier.plan.shapes.endpoint($0.key) }
    }

    private mutating func compare(
        _ live: LiveResponse, with prepared: Verifier.Prepared, at index: Int, from server: String
    ) throws(HARError) {
        guard let endpoint = endpoint(of: prepared.recorded) else { return }
        var current = prepared.recorded
        current.response = live.response
        current = verifier.redactor.redacted(current)
        if let failure = verifier.redactor.failure { throw failure }
        let recorded = prepared.recorded.response
        let status = live.response.status
        if [401, 407].contains(status), recorded.status != status {
            let difference = ResponseComparison.difference(
                .changed, "status changed", "\(recorded.status)", "\(status)", at: JSONPointer())
            refusals[server, default: []].append((endpoint, index, difference))
            return
        }
        accepting.insert(server)
        let count = report.findings.occurrenceCount
        let comparison = ResponseComparison(endpoint: endpoint, entry: index)
        var shapes = compared[endpoint.key] ?? Compared()
        let usual = verifier.plan.statuses.statuses(of: prepared.recorded, in: verifier.archive.bodyFolder)
        if let status = comparison.compare(
            current.response, with: recorded, or: usual, current: &shapes.current, &report.findings)
        {
            var own = MessageShape()
            own.add(recorded, in: verifier.archive.bodyFolder)
            shapes.recorded[status, default: MessageShape()].merge(own)
            shapes.entries[status, default: []].append(index)
            compared[endpoint.key] = shapes
        }
        if let differences = verifier.configuration.valueDifferences?(prepared.recorded, current) {
            report.findings.add(differences, in: "value", of: endpoint, entry: index)
        }
        let redacted = LiveResponse(response: current.response, start: live.start, duration: live.duration)
        let size = current.response.content.size ?? 0
        if report.findings.occurrenceCount > count {
            report.drifted[index] = redacted
        } else if keptSize.adding(clamping: size) < Self.keptLimit {
            kept[index] = redacted
            keptSize += size
        }
    }

    /// Compares all responses of each endpoint, and reports refused requests.
    mutating func finish() {
        for (server, refused) in refusals {
            if !accepting.contains(server) {
                report.refusals[server] = refused.count
            } else {
                for (endpoint, entry, difference) in refused {
                    report.findings.add([difference], in: "status", of: endpoint, entry: entry)
                }
            }
        }
        for (key, shapes) in compared {
            guard let endpoint = verifier.plan.shapes.endpoint(key) else { continue }
            for (status, recorded) in shapes.recorded {
                guard let current = shapes.current[status] else { continue }
                var comparison = ShapeComparison()
                comparison.compareAll(recorded.json, current.json, at: JSONPointer())
                let changed = report.findings.unreported(comparison.differences, in: "body", of: endpoint)
                let lost = report.findings.unreported(
                    ResponseComparison.lostFields(recorded, current), in: "header", of: endpoint)
                if lost.isEmpty, changed.isEmpty { continue }
                for entry in shapes.entries[status] ?? [] {
                    report.findings.add(changed, in: "body", of: endpoint, entry: entry)
                    report.findings.add(lost, in: "header", of: endpoint, entry: entry)
                    if let response = kept[entry] { report.drifted[entry] = response }
                }
            }
        }
    }
}

extension Findings {
    /// The number of findings, including repetitions.
    var occurrenceCount: Int { all.reduce(0) { $0 + $1.count } }
}
