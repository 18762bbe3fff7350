import Foundation
import Measuring

// Answers requests of a session, and writes what it took. Usage: Answering TASK FILE

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("Usage: Answering answer|kilobyte FILE") }

let outcome =
    switch arguments[1] {
    case "answer": try await Answering.any(URL(fileURLWithPath: arguments[2]))
    case "kilobyte": try await Answering.kilobyte()
    default: fatalError("There is no task \(arguments[1]).")
    }
try outcome.write()
