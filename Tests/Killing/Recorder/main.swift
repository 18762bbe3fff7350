import Foundation
import HTTPArchive

// A program that the kill test runs:
//   Recorder record FILE FIRST SEED [COUNT]  appends entries numbered from FIRST, and prints each number when its entry
//                                            is recorded; with COUNT, entries are small and failures are ignored
//   Recorder read FILE                       prints the numbers of the entries that HARArchive finds and, on a second
//                                            line, those that HARReader finds
//   Recorder repair FILE                     opens the archive for appending, which repairs it

signal(SIGXFSZ, SIG_IGN)
let arguments = CommandLine.arguments
let file = URL(fileURLWithPath: arguments[2])

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Returns an entry with a size from several hundred bytes to two to the power of `scale`.
///
/// Small sizes are more frequent.
func entry(_ number: Int, _ state: inout UInt64, scale: Double) -> HAR.Entry {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let size = Int(exp2(Double(state >> 40) / Double(1 << 24) * scale))
    let text = String(repeating: "\u{E9}\"]} \n", count: size / 6 + 1)
    return HAR.Entry(
        startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "http://example.com/\(number)"),
        response: .init(status: 200, content: .init(size: size, mimeType: "text/plain", text: text)))
}

func number(_ entry: HAR.Entry) -> String { entry.request.url.split(separator: "/").last.map(String.init) ?? "" }

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

func perform() throws {
    switch arguments[1] {
    case "record":
        let writer = try HARWriter(appendingTo: file)
        var number = Int(arguments[3]) ?? 0
        let end = arguments.count > 5 ? number + (Int(arguments[5]) ?? 0) : .max
        var state = UInt64(arguments[4]) ?? 0
        while number < end {
            let outcome = Result { () throws(HARError) in
                try writer.append(entry(number, &state, scale: end < .max ? 7 : 22))
            }
            if case .failure(let error) = outcome, end == .max { throw error }
            say(outcome.isSuccess ? "recorded \(number)" : "failed \(number)")
            number += 1
        }
        try writer.finish()
    case "repair":
        try HARWriter(appendingTo: file).finish()
    case "read":
        let archive = try HARArchive(contentsOf: file)
        say(try (0..<archive.count).map { number(try archive.entry(at: $0)) }.joined(separator: " "))
        say(try HARReader(contentsOf: file).compactMap { try? $0.get() }.map(number).joined(separator: " "))
    default: exit(2)
    }
}

do {
    try perform()
} catch {
    guard let error = error as? HARError else { throw error }
    say("\(error.code): \(error.message)")
    exit(1)
}
