import Foundation
import HTTPArchive
import Measuring

// Records entries of 2 kB to a new file, and prints the seconds per thousand entries as a line of JSON.

let ways: [String: HARWriter.Flushing] = [
    "eachEntry": .eachEntry, "eachEntryOnDisk": .eachEntryOnDisk, "interval": .interval(.seconds(1)), "atEnd": .atEnd,
]
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let way = arguments.first, let count = Int(arguments[2]),
    way == "rewriting" || ways[way] != nil
else { fatalError("Usage: Recording \(ways.keys.sorted().joined(separator: "|"))|rewriting COUNT FILE") }
let file = URL(fileURLWithPath: arguments[3])

func entry(_ number: Int) -> HAR.Entry {
    let text = String(repeating: "{\"number\":\(number)}", count: 80)
    return HAR.Entry(
        startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "https://example.com/\(number)"),
        response: .init(status: 200, content: .init(size: text.utf8.count, mimeType: "application/json", text: text)))
}

/// Returns the time for each thousand entries, in seconds.
func thousands(_ append: (HAR.Entry) throws -> Void) throws -> [Double] {
    try stride(from: 0, to: count, by: 1000).map { start in
        try seconds { for number in start..<min(start + 1000, count) { try append(entry(number)) } }
    }
}

let times: [Double]
if let flushing = ways[way] {
    var configuration = HARWriter.Configuration()
    configuration.flushing = flushing
    let writer = try HARWriter(appendingTo: file, configuration: configuration)
    times = try thousands { try writer.append($0) }
    try writer.finish()
} else {
    var log = HAR.Log(creator: .init(name: "Rewriting", version: "1"))
    times = try thousands { entry in
        log.entries.append(entry)
        try log.write(to: file)
    }
}
try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(times) + Data("\n".utf8))
