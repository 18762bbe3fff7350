import Foundation
import HTTPArchive

/// An exporter for DVR cassettes.
///
/// DVR replays the last of several equal requests first, so the exporter reverses the order of their entries.
struct DVRExporter: ArchiveExporter {
    static let name = "dvr"
    static let losses: [ExportLoss] = [.messages, .repeatedFields]

    /// The parts of a request that DVR compares.
    private struct Request: Hashable {
        let method: String
        let url: String
        let body: HAR.Body
    }

    private let title: String
    private var isEmpty = true

    init(title: String) {
        self.title = title
    }

    var beginning: String {
        #"{"name":\#(String(decoding: JSONValue.text(title).data(), as: UTF8.self)),"interactions":["#
    }

    var end: String { "\n]}\n" }

    mutating func text(of exported: ExportedEntry) -> String? {
        guard let track = ExportedTrack(exported, untypedIsText: false) else { return nil }
        defer { isEmpty = false }
        let seconds = Self.seconds(exported.entry)
        let value: JSONValue = ["recorded_at": seconds, "request": track.request, "response": track.response]
        return (isEmpty ? "\n" : ",\n") + String(decoding: value.data(), as: UTF8.self)
    }

    /// Returns the recording time, formatted as in the imported cassette if the time is unchanged.
    private static func seconds(_ entry: HAR.Entry) -> JSONValue {
        let start = entry.startedDate?.timeIntervalSince1970
        guard let recorded = entry["_recorded_at"], let seconds = recorded.double, let start,
            abs(seconds - start) < 0.001
        else { return .double(start) }
        return recorded
    }

    static var mayReorder: Bool { true }

    static func order(of indices: [Int], in archive: HARArchive) throws(HARError) -> [Int] {
        var groups: [Request: [Int]] = [:]
        for index in indices {
            let request = try archive.entry(at: index).request
            groups[Request(method: request.method, url: request.url, body: request.body), default: []].append(index)
        }
        var sources: [Int: Int] = [:]
        for group in groups.values { for (index, source) in zip(group, group.reversed()) { sources[index] = source } }
        return indices.map { sources[$0] ?? $0 }
    }
}

/// An archive with its entries in a different order.
///
/// Each entry gets the start time of the entry that it replaces.
struct OrderedArchive {
    private let archive: HARArchive
    private let order: [Int]
    private let sorted: [Int]

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - order: The indices of the selected entries, in the new order.
    init(_ archive: HARArchive, order: [Int]) {
        self.archive = archive
        self.order = order
        sorted = order.sorted()
    }

    /// Returns the entry at a position in the new order and its index in the archive, or nil after the last entry.
    func next(_ position: Int) throws(HARError) -> (entry: HAR.Entry, index: Int)? {
        guard order.indices.contains(position) else { return nil }
        var entry = try archive.entry(at: order[position])
        if order[position] != sorted[position] {
            entry.startedDateTime = try archive.entry(at: sorted[position]).startedDateTime
        }
        return (entry, order[position])
    }
}
