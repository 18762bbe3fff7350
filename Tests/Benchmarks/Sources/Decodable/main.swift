import Foundation

// Decodes an archive with only Foundation and prints the measurements. Usage: Decodable FILE

guard let path = CommandLine.arguments.dropFirst().first else { fatalError("Usage: Decodable FILE") }
let clock = ContinuousClock()
let start = clock.now
let archive = try JSONDecoder().decode(Archive.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
let seconds = (clock.now - start) / .seconds(1)
print("{\"seconds\": \(seconds), \"entries\": \(archive.log.entries.count)}")
