import Foundation

/// The code that is tested with arbitrary bytes.
///
/// The name of the program selects the target: the build has a link for each.
enum Target: String {
    case reader, archive, writer, appending, replaying, texts, redacting, planting
    case index, importing, inflating, transfer, conditions, structure

    func run(_ input: Input) {
        switch self {
        case .reader: checkReading(input)
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
        }
    }
}

private let target: Target = {
    let name = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
    guard let target = Target(rawValue: name) else { fail("There is no target \(name).") }
    return target
}()

/// Runs one input; called by libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(Input(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Ends the process with a message, which libFuzzer treats as a crash.
func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\n== \(reason)\n".utf8))
    abort()
}

/// Ends the process unless both values are equal.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, _ what: String) {
    if value != expected { fail("\(what):\n\(value)\nand not\n\(expected)") }
}
