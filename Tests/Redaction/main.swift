import Foundation
import HTTPArchive
import PlantedSecrets

/// The entries of all places, in the order of the planted archive.
let planted = PlantPlace.groups.flatMap { group in
    group.places.flatMap { place in
        place.secrets.map { secrets in
            (
                group: group.name, place: place, secrets: secrets,
                entry: place.entry(PlantProof.mixed(secrets, place.decoys))
            )
        }
    }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "plant" where arguments.count == 3:
    try HAR.Log(creator: HAR.Creator(name: "RedactionTable", version: "1"), entries: planted.map(\.entry))
        .write(to: URL(fileURLWithPath: arguments[2]))
case "count" where arguments.count == 3:
    try printCounts(URL(fileURLWithPath: arguments[2]))
case "failing":
    let redactor = try redactor()
    for place in PlantPlace.all {
        if let failure = PlantProof(place, by: redactor).failure { print("\(place.title)\t\(failure)") }
    }
case "examples":
    for place in PlantPlace.all {
        let plants = (place.secrets.first ?? []).prefix(2) + place.decoys.prefix(1)
        let entry = JSONValue.object(place.entry(Array(plants)).fields).data(layout: .compact)
        print("\(place.title)\t\(String(decoding: entry, as: UTF8.self))")
    }
default:
    print("usage: RedactionTable plant FILE | count FILE | failing | examples")
    exit(64)
}

/// Returns a redactor with the key that the tests use.
func redactor() throws -> HARRedactor {
    var configuration = HARRedactor.Configuration()
    configuration.key = HARRedactor.Key(phrase: "a key of the tests")
    return try HARRedactor(configuration)
}

/// Counts the secrets that a tool left in the planted archive, and the harmless values that it lost.
///
/// Each printed line has a group, an encoding, a place and the counts, separated by tabs.
func printCounts(_ file: URL) throws {
    let entries = try HAR.Log(contentsOf: file).entries
    guard entries.count == planted.count else {
        print("expected \(planted.count) entries, found \(entries.count)")
        exit(1)
    }
    for (index, item) in planted.enumerated() {
        let text = entries[index].plantedText
        let left = PlantProof.names(of: item.secrets, in: text)
        let decoys = item.place.decoys
        // Secrets can contain harmless values.
        let hidden = item.secrets.map { Plant(name: $0.name, value: PlantSearch.placeholder, isSecret: true) }
        let original = PlantSearch.flattened(item.place.entry(PlantProof.mixed(hidden, decoys)).plantedText)
        let flat = PlantSearch.flattened(text)
        let lost = decoys.filter {
            PlantSearch.count(of: $0.value, in: flat) < PlantSearch.count(of: $0.value, in: original)
        }
        let numbers = [item.secrets.count, left.count, decoys.count, lost.count].map(String.init)
        print(([item.group, item.place.encoding.rawValue, item.place.title] + numbers).joined(separator: "\t"))
    }
}
