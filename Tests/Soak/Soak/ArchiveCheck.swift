import Foundation
import HTTPArchive
import Relay

/// A comparison of a recorded archive with the requests that its recorder received.
struct ArchiveCheck: Sendable {
    let archive: URL

    /// The number of entries.
    private(set) var entryCount = 0

    /// The descriptions of received responses that are missing from the archive.
    private(set) var lost: [String] = []

    /// The descriptions of entries that differ from their request, are duplicates, or have no request.
    private(set) var wrong: [String] = []

    /// The numbers of the requests, and whether the client received the complete response.
    private let received: [Int: Bool]

    private let seed: UInt64

    /// Prepares a check.
    init(of archive: URL, received: [Int: Bool], seed: UInt64) {
        self.archive = archive
        self.received = received
        self.seed = seed
    }

    /// Reads the archive, entry by entry.
    mutating func run() throws {
        let reader = try HARReader(contentsOf: archive)
        var found: Set<String> = []
        while let entry = try reader.nextEntry() {
            entryCount += 1
            let path = URL(string: entry.request.url)?.path ?? ""
            if !found.insert(path).inserted { wrong.append("\(path): a second entry") }
            if let difference = difference(of: entry, path: path) { wrong.append("\(path): \(difference)") }
        }
        for (number, isReceived) in received where isReceived {
            let plan = LivePlan(number: number, seed: seed)
            for path in Set([plan.path, plan.location]) where !found.contains(path) { lost.append(path) }
        }
    }

    /// Compares the archive with its recorder's report, and checks that no other files exist.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - folder: The folder of the recording.
    mutating func compare(with report: RecordingReport, in folder: URL) {
        if report.recordedCount != entryCount {
            wrong.append("\(entryCount) entries, \(report.recordedCount) reported")
        }
        wrong += report.failures.map { "a failure: \($0)" }
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for file in files where !["soak.har", "Recordings", "Recordings/soak.har"].contains(file) {
            wrong.append("the unexpected file \(file)")
        }
    }

    private func difference(of entry: HAR.Entry, path: String) -> String? {
        guard let number = path.split(separator: "/").last.flatMap({ Int($0) }), let isReceived = received[number]
        else {
            return "belongs to no request"
        }
        let plan = LivePlan(number: number, seed: seed)
        if entry.request.method != (plan.requestBody == nil ? "GET" : "POST") { return entry.request.method }
        if entry.request.postData?.text != plan.requestBody.map({ String(decoding: $0, as: UTF8.self) }) {
            return "a request with a different body"
        }
        if path != plan.location {
            let isRedirect = entry.response.status == 302 && entry.response.redirectURL == plan.location
            return path == plan.path && (isRedirect || entry.failure != nil) ? nil : "not the redirect"
        }
        let body = entry.response.body.data ?? Data()
        guard entry.failure == nil else {
            if isReceived { return "has a failure: \(entry.failure ?? "")" }
            return plan.message.body.starts(with: body) ? nil : "the partial body \(Call.excerpt(of: body))"
        }
        if !plan.course.isComplete { return "no failure" }
        if entry.response.status != plan.message.status { return "status \(entry.response.status)" }
        if entry.response.header(Message.field) != String(number) { return "\(Message.field) of another response" }
        if body != plan.message.body { return "a body of \(body.count) bytes: \(Call.excerpt(of: body))" }
        return nil
    }
}
