package import Foundation
package import HTTPArchive

/// A response that was received from a server, and when.
package struct LiveResponse: Sendable {
    /// The response.
    package var response: HAR.Response

    /// The time at which the request started.
    package let start: Date

    /// The time until the response was complete, in milliseconds.
    package let duration: Double

    /// Creates a response.
    package init(response: HAR.Response, start: Date, duration: Double) {
        self.response = response
        self.start = start
        self.duration = duration
    }
}

/// A request without a response.
package enum LiveFailure: Error, Hashable, Sendable {
    /// The server cannot be reached, with the reason.
    case unreachable(String)

    /// The response was not complete in time.
    case timedOut

    /// The exchange failed otherwise, with the reason.
    case failed(String)

    /// The other archive has no such request.
    case notRecorded
}

/// The result of a verification.
package struct VerificationReport: Sendable {
    /// The differences.
    package internal(set) var findings = Findings()

    /// The number of requests with a response.
    package internal(set) var responseCount = 0

    /// The entries whose response has differences, with the redacted responses.
    package internal(set) var drifted: [Int: LiveResponse] = [:]

    /// The entries that were not sent, by index.
    package internal(set) var skipped: [Int: VerificationPlan.Reason] = [:]

    /// The servers that responded to all requests with status 401 or 407, and the number of requests.
    package internal(set) var refusals: [String: Int] = [:]

    /// The number of values that were taken from current responses.
    package internal(set) var carriedCount = 0

    /// The entries that used a recorded value, because the current response did not have it.
    package internal(set) var fallbacks: Set<Int> = []

    /// Whether the report has a finding of a grade or above, no request has a response, or requests could not be sent because
    /// a server did not respond or refused all of them.
    ///
    /// - Parameter grade: The grade, or nil to ignore findings.
    /// - Returns: `true` if the verification fails.
    package func fails(on grade: Shape.Difference.Grade?) -> Bool {
        if responseCount == 0 || !refusals.isEmpty
            || skipped.values.contains(where: { if case .unavailable = $0 { true } else { false } })
        {
            return true
        }
        return grade.map { grade in findings.all.contains { $0.grade >= grade } } ?? false
    }
}
