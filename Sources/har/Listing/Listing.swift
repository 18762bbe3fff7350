import Foundation
import HTTPArchive

/// What `har entries` writes of each entry.
struct Listing {
    /// How an entry is written.
    enum Form {
        /// Its facts on a line, for people.
        case lines

        /// Its facts as an object of an array.
        case objects

        /// The entry itself, as JSON on one line.
        case entries
    }

    private let output: StandardOutput
    private let form: Form
    private var list: JSONList?
    private let width = Terminal.width
    private var index = 0

    /// Begins.
    ///
    /// - Parameters:
    ///   - output: Where it goes.
    ///   - form: How an entry is written.
    /// - Throws: What standard output throws.
    init(to output: StandardOutput, as form: Form) throws(HARError) {
        self.output = output
        self.form = form
        list = form == .objects ? try JSONList(to: output) : nil
    }

    /// Writes the next entry.
    mutating func add(_ entry: HAREntryFacts) throws(HARError) {
        switch form {
        case .lines: try output.line(line(entry))
        case .objects:
            let object = try object(entry)
            try list?.append(object)
        case .entries:
            let text = JSONValue.object(try entry.entry.fields).data(layout: .compact)
            try output.write(text + Data("\n".utf8))
        }
        index += 1
    }

    /// Ends it.
    func finish() throws(HARError) { try list?.finish() }

    private func line(_ entry: HAREntryFacts) throws(HARError) -> String {
        var type = try entry.mediaType?.essence.printable ?? "-"
        // Columns are told apart by spaces. Looking for one first takes a tenth of the time of replacing none.
        if type.utf8.contains(UInt8(ascii: " ")) { type = type.replacing(" ", with: "_") }
        let typeWidth = width == nil ? 24 : 16
        let size = try entry.decodedBodySize
        var line = String(index).aligned(right: 5)
        for column in [
            (entry.method.isEmpty ? "-" : entry.method.printable).padded(to: 7),
            String(entry.status).aligned(right: 3),
            (width == nil ? type : type.truncated(to: typeWidth)).padded(to: typeWidth),
            (size.map(String.init) ?? "-").aligned(right: 9),
            (entry.time.map { $0.rounded(to: 0) } ?? "-").aligned(right: 7),
        ] {
            line += " "
            line += column
        }
        line += "  "
        let url = entry.url.printable
        line += width.map { url.shortened(to: max(20, $0 - line.count)) } ?? url
        return line
    }

    private func object(_ entry: HAREntryFacts) throws(HARError) -> JSONValue {
        [
            "index": .integer(index), "method": .text(entry.method), "status": .integer(entry.status),
            "type": .text(try entry.mediaType?.essence), "size": .integer(try entry.decodedBodySize),
            "time": .double(entry.time), "startedDateTime": .text(entry.startedDateTime), "url": .text(entry.url),
        ]
    }
}
