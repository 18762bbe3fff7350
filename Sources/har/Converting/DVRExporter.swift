import Foundation
import HTTPArchive

/// A cassette of DVR, which of equal requests plays the last: there the order of the archive is turned round.
struct DVRExporter: ArchiveExporter {
    static let name = "dvr"

    /// What makes requests equal to DVR.
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
        guard let track = ExportedTrack(exported) else { return nil }
        defer { isEmpty = false }
        let seconds = Self.seconds(exported.entry)
        let value: JSONValue = ["recorded_at": seconds, "request": track.request, "response": track.response]
        return (isEmpty ? "\n" : ",\n") + String(decoding: value.data(), as: UTF8.self)
    }

    /// When it was recorded: as the cassette said it that it was imported from, where that is the same time.
    private static func seconds(_ entry: HAR.Entry) -> JSONValue {
        let start = entry.startedDate?.timeIntervalSince1970
        guard let recorded = entry["_recorded_at"], let seconds = recorded.double, let start,
            abs(seconds - start) < 0.001
        else { return .double(start) }
        return recorded
    }

    static var mayReorder: Bool { true }

    static func order(of archive: HARArchive) throws(HARError) -> [Int] {
        var places: [Request: [Int]] = [:]
        for index in 0..<archive.count {
            let request = try archive.entry(at: index).request
            places[Request(method: request.method, url: request.url, body: request.body), default: []].append(index)
        }
        var order = Array(0..<archive.count)
        for group in places.values { for (place, source) in zip(group, group.reversed()) { order[place] = source } }
        return order
    }
}

/// An archive whose entries are taken in another order; each has the time of the place where it comes.
struct OrderedArchive {
    private let archive: HARArchive
    private let order: [Int]

    init(_ archive: HARArchive, order: [Int]) {
        self.archive = archive
        self.order = order
    }

    /// The entry that comes at a place; `nil` behind the last one.
    func next(_ place: Int) throws(HARError) -> HAR.Entry? {
        guard order.indices.contains(place) else { return nil }
        var entry = try archive.entry(at: order[place])
        if order[place] != place { entry.startedDateTime = try archive.entry(at: place).startedDateTime }
        return entry
    }
}
