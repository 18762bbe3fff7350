import Foundation

/// The parts of the package to test with arbitrary bytes.
///
/// The name of the executable selects the target. The script `run` creates a link to the executable for each target.
enum Target: String {
    case reader, parsers, archive, writer, appending, replaying, texts, redacting, planting
    case index, importing, inflating, transfer, conditions, structure, repairing

    func run(_ input: Input) {
        switch self {
        case .reader: checkReading(input)
        case .parsers: checkParsers(input)
        case .archive: checkArchive(input)
        case .writer: checkWriting(input)
        case .appending: checkAppending(input)
        case .replaying: checkReplaying(input)
        case .texts: checkTexts(input)
        case .redacting: checkRedacting(input)
        case .planting: checkPlanting(input)
        case .index: checkIndex(input)
        case .importing: checkImporting(input)
        case .inflating: checkInflating(input)
        case .transfer: checkTransfer(input)
        case .conditions: checkConditions(input)
        case .structure: checkStructure(input)
        case .repairing: checkRepairing(input)
        }
    }
}

private let target: Target = {
    let name = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
    guard let target = Target(rawValue: name) else { fail("Unknown target \(name).") }
    return target
}()

/// Runs one input.
///
/// libFuzzer calls this function.
@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(Input(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Aborts the process with a message.
///
/// libFuzzer treats this as a crash.
func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\n== \(reason)\n".utf8))
    abort()
}

/// Aborts the process if the values differ.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, _ what: String) {
    if value != expected { fail("\(what): found\n\(value)\nexpected\n\(expected)") }
}
