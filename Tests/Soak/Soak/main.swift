import Foundation

// Soak FOLDER [REQUESTS] [SEED] [plain]

let arguments = Array(CommandLine.arguments.dropFirst())
let options = arguments.dropFirst().compactMap { UInt64($0) }
guard let folder = arguments.first, arguments.count == options.count + (arguments.last == "plain" ? 2 : 1) else {
    print("usage: Soak FOLDER [REQUESTS] [SEED] [plain]")
    exit(2)
}
let run = try Run(
    requests: options.first.map { Int($0) } ?? 1_000_000, seed: options.dropFirst().first ?? .random(in: 1...999_999),
    in: URL(fileURLWithPath: folder), isPlain: arguments.last == "plain")
exit(try await run.perform() ? 0 : 1)
