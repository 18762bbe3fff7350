import Foundation
import HTTPArchive
import Relay

#if Verifying
    import ArchiveShapes

    /// The times at which a test sends the requests that it replays to the recorded servers as well, to find out whether
    /// the recorded responses still resemble the current ones.
    ///
    /// ```swift
    /// @Test(.replay("shop", verifying: .weekly)) func `the shop has apples`() async throws { … }
    /// ```
    ///
    /// After the test, the recorded requests of the entries that it used are sent to their recorded origins, or to the URL
    /// in the environment variable `RELAY_VERIFY_AGAINST`. Only GET, HEAD, OPTIONS and QUERY are sent. Environment variables
    /// `RELAY_SECRET_NAME` replace placeholders of redaction. Each difference between the shapes of the responses is
    /// reported as a warning, without affecting the outcome of the test. `har verify` describes the comparison.
    ///
    /// `RELAY_VERIFY=1` verifies every test that replays an archive, and reports differences as issues, for example in a
    /// weekly job. `RELAY_VERIFY=0` turns verification off.
    ///
    /// The last time is stored in the user's folder for caches. A machine without this folder, such as a new machine for
    /// each job, verifies every time.
    public struct Verification: Hashable, Sendable {
        /// The time between two verifications.
        let interval: Duration

        /// Whether differences are reported as issues instead of warnings.
        var reportsIssues = false

        /// Verifies in every run.
        public static let always = Self(interval: .zero)

        /// Verifies once a day.
        public static let daily = every(.seconds(86_400))

        /// Verifies once a week.
        public static let weekly = every(.seconds(7 * 86_400))

        /// Verifies when the last verification is older than an interval.
        ///
        /// - Parameter interval: The interval.
        /// - Returns: The times.
        public static func every(_ interval: Duration) -> Self { Self(interval: interval) }

        /// Returns the same times, with differences reported as issues of the test instead of warnings.
        public func reportingIssues() -> Self {
            var copy = self
            copy.reportsIssues = true
            return copy
        }
    }

    extension Verification {
        /// Returns the verification of a test: the request of the environment, or else its settings.
        ///
        /// - Parameters:
        ///   - settings: The verification in the settings.
        ///   - environment: The environment variables.
        /// - Returns: The verification, or nil for none.
        /// - Throws: `invalidSetting` if the variable has an unknown value.
        static func requested(
            _ settings: Verification?, in environment: [String: String]
        ) throws(RelayError) -> Verification? {
            switch environment[VerificationRequest.variable] ?? "" {
            case "": settings
            case "0": nil
            case "1": always.reportingIssues()
            case let value:
                throw RelayError(
                    .invalidSetting,
                    "The environment variable \(VerificationRequest.variable) has the unknown value '\(value)'. "
                        + "Set it to 1 to verify all tests, or to 0 to verify none.")
            }
        }

        /// Returns whether the last verification is too old, and stores the current time if it is.
        ///
        /// - Parameters:
        ///   - name: The name of the test and its archive.
        ///   - folder: The folder for the times.
        /// - Returns: `true` if the verification is due.
        func isDue(_ name: String, in folder: URL) -> Bool {
            let hash = HashAlgorithm.sha256.hash(of: Array(name.utf8)).prefix(16)
            let file = folder.appendingPathComponent(Hexadecimal.text(hash))
            let last = (try? InputFile(url: file, waitsForWriter: false).content(upTo: 100)).flatMap {
                Double(String(decoding: $0, as: UTF8.self))
            }
            let now = Date().timeIntervalSince1970
            if let last, last <= now, now - last < interval / .seconds(1) { return false }
            // If the time cannot be stored, the next run verifies again.
            try? FileSystemCalls.current.createFolders(folder)
            if let output = try? OutputFile(url: file) {
                try? output.write(Array("\(now)".utf8))
                try? output.finish()
            }
            return true
        }
    }

    /// A verification of the entries that a test used.
    struct UsedEntriesVerification {
        /// The differences as text.
        private(set) var messages: [String] = []

        /// Sends the requests of the used entries.
        ///
        /// - Parameters:
        ///   - interceptor: The interceptor.
        ///   - environment: The environment variables.
        /// - Throws: Any error from reading an archive.
        init(of interceptor: Interceptor, environment: [String: String]) async throws {
            let transport = LiveTransport(timeout: 30)
            for (archive, indices) in interceptor.usedEntries where !indices.isEmpty {
                let against = (environment[VerificationRequest.targetVariable] ?? "").split(separator: " ").map(
                    String.init)
                let origins = VerificationPlan.origins(of: archive)
                let destinations = try Destinations(
                    against.isEmpty ? origins : against, isLive: false, origins: origins)
                let plan = try VerificationPlan(
                    of: archive, selected: Set(indices), allowsUnsafe: false, to: destinations)
                let secrets = VerificationSecrets(VerificationSecrets.named(in: environment))
                let verifier = Verifier(
                    archive, plan, to: destinations, secrets: secrets, redactor: try HARRedactor())
                // The interceptors of other tests must not answer these requests.
                let report = try await ScopeExit.$current.withValue(.toNetwork) {
                    try await verifier.run { await transport.send($0) }
                }
                add(report, of: archive, against: against)
            }
        }

        private mutating func add(_ report: VerificationReport, of archive: HARArchive, against: [String]) {
            let path = archive.url.relativePath
            let target = against.isEmpty ? "--live" : against.map { "--against \($0)" }.joined(separator: " ")
            for finding in report.findings.all where finding.grade > .added {
                let difference = finding.key.difference
                let location = [finding.key.part, "\(difference.pointer)"].filter { !$0.isEmpty }.joined(separator: " ")
                let entries = finding.entries.map(String.init).joined(separator: ",")
                messages.append(
                    """
                    \(archive.url.lastPathComponent) no longer resembles the server: \(finding.key.endpoint), \(location): \
                    \(difference.text). Recorded: \(difference.recorded). Now: \(difference.current). To update the \
                    archive: har verify \(path) \(target) --entries \(entries) --update
                    """)
            }
            for (server, count) in report.refusals {
                messages.append(
                    "\(server) refused \(count) requests, so they were not verified. Set \(VerificationSecrets.variablePrefix)AUTHORIZATION."
                )
            }
            let unavailable = Set(
                report.skipped.values.compactMap { if case .unavailable(let reason) = $0 { reason } else { nil } })
            for reason in unavailable.sorted() {
                messages.append("\(archive.url.lastPathComponent) was not verified: \(reason).")
            }
        }
    }
#endif

/// The request of the environment to verify all tests.
enum VerificationRequest {
    /// The environment variable that requests or turns off verification.
    static let variable = "RELAY_VERIFY"

    /// The environment variable with the servers that receive the requests.
    static let targetVariable = "RELAY_VERIFY_AGAINST"

    #if !Verifying
        /// Returns the message for an environment that requests verification, which is not available.
        ///
        /// - Parameter environment: The environment variables.
        /// - Returns: The message, or nil if verification is not requested.
        static func missingTrait(in environment: [String: String]) -> String? {
            guard let value = environment[variable], !value.isEmpty, value != "0" else { return nil }
            return """
                The environment variable \(variable) requests a verification, which needs the trait Verifying of Relay. \
                Enable it in Package.swift: .package(…, traits: [.defaults, "Verifying"])
                """
        }
    #endif
}
