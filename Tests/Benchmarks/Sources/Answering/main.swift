import Foundation
import Measuring

// Measures responses through sessions and prints the results.

let usage = """
    Usage: Answering answer|kilobyte FILE
           Answering urls|posts ROUNDS FILE...
           Answering exchanges ROUNDS URL [SUBJECT...]
           Answering scopes ROUNDS
    """
let arguments = CommandLine.arguments.dropFirst()
let files = arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }
guard let task = arguments.first else { fatalError(usage) }

switch (task, arguments.dropFirst().first.map { ($0, Int($0)) }) {
case ("answer", (let file, _)?): try await Answering.any(URL(fileURLWithPath: file)).write()
case ("kilobyte", _?): try await Answering.kilobyte().write()
case ("urls", (_, let rounds?)?): try await Matching.ownURLs(of: files, rounds: rounds).write()
case ("posts", (_, let rounds?)?): try await Matching.oneURL(of: files, rounds: rounds).write()
case ("exchanges", (_, let rounds?)?):
    guard let server = arguments.dropFirst(2).first.flatMap({ URL(string: $0) }) else { fatalError(usage) }
    try await Exchanges.measure(Set(arguments.dropFirst(3)), server: server, rounds: rounds).write()
case ("scopes", (_, let rounds?)?): try await Scopes.measure(rounds: rounds).write()
default: fatalError(usage)
}
