import Foundation
import Measuring

// Reads an archive in one of several ways and prints the measurements. Usage: Reading TASK FILE

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("Usage: Reading decode|pass|open|kept|random FILE") }
let archive = URL(fileURLWithPath: arguments[2])

let outcome =
    switch arguments[1] {
    case "decode": try Reading.decode(archive)
    case "pass": try Reading.pass(archive)
    case "open": try Reading.open(archive)
    case "kept": try Reading.kept(archive)
    case "random": try Reading.random(archive)
    default: fatalError("Unknown task \(arguments[1]).")
    }
try outcome.write()
