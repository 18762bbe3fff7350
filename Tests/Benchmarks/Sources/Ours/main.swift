import Foundation

// Does one task, and writes what it took. Usage: Ours TASK FILE

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("Usage: Ours decode|pass|open|random|answer|kilobyte FILE") }
let archive = URL(fileURLWithPath: arguments[2])

let measurement =
    switch arguments[1] {
    case "decode": try Reading.decode(archive)
    case "pass": try Reading.pass(archive)
    case "open": try Reading.open(archive)
    case "random": try Reading.random(archive)
    case "answer": try await Answering.any(archive)
    case "kilobyte": try await Answering.kilobyte()
    default: fatalError("There is no task \(arguments[1]).")
    }
try measurement.write()
