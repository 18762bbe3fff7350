import Foundation
package import HTTPArchive

/// The secrets that redaction left at one location, and the harmless values that it removed.
package struct PlantProof {
    /// The name and the encoding of the location.
    package let title: String

    /// The names of the secrets that remain.
    package private(set) var left: [String] = []

    /// The names of the harmless values that are missing, or `text` if other parts of the text differ.
    package private(set) var lost: [String] = []

    /// The required properties that the redacted entries lack.
    package private(set) var broken: [String] = []

    /// The number of secrets.
    package private(set) var count = 0

    /// A line that describes the failure, or nil if the redaction is correct.
    package var failure: String? {
        var parts: [String] = []
        if !left.isEmpty { parts.append("left: \(left.count == count ? "all" : left.joined(separator: " "))") }
        for (word, names) in [("lost", lost), ("broken", broken)] where !names.isEmpty {
            parts.append("\(word): \(Set(names).sorted().joined(separator: " "))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Returns the names of the secrets that occur in a text, in any encoding.
    package static func names(of secrets: [Plant], in text: [UInt8]) -> [String] { PlantForms(secrets).names(in: text) }

    /// Redacts the entries of a location and checks the result.
    package init(_ place: PlantPlace, by redactor: HARRedactor) {
        title = place.title
        for secrets in place.secrets { check(place, secrets, redactor) }
    }

    private mutating func check(_ place: PlantPlace, _ secrets: [Plant], _ redactor: HARRedactor) {
        let decoys = place.decoys
        count += secrets.count
        let entry = place.entry(Self.mixed(secrets, decoys))
        let redacted = redactor.redacted(entry)
        let text = redacted.plantedText
        if redactor.redacted(redacted).plantedText != text { broken.append("not final") }
        if (try? JSONValue(parsing: Data(text))) == nil { broken.append("not JSON") }
        let flat = PlantSearch.flattened(text)
        left += Self.names(of: secrets, in: text)
        if !redactor.secrets(in: redacted).isEmpty { broken.append("findings left") }
        guard place.isExact else { return }
        let hidden = secrets.map { Plant(name: $0.name, value: PlantSearch.placeholder, isSecret: true) }
        let expected = place.entry(Self.mixed(hidden, decoys))
        guard left.isEmpty else {
            let flatExpected = PlantSearch.flattened(expected.plantedText)
            lost += Self.missing(decoys, in: flat, expected: flatExpected)
            return
        }
        let actual = PlantSearch.withoutDigits(flat)
        let wanted = PlantSearch.withoutDigits(PlantSearch.flattened(expected.plantedText))
        if actual != wanted, !Self.areEqualDecoded(text, expected.plantedText) {
            let missing = Self.missing(decoys, in: actual, expected: wanted)
            lost += missing.isEmpty ? ["text"] : missing
        }
        if lost.isEmpty, redactor.redacted(expected).plantedText != expected.plantedText {
            broken.append("placeholders redacted")
        }
    }

    /// Returns whether two texts are equal after percent-decoding.
    ///
    /// Redaction can change which bytes are percent-encoded.
    private static func areEqualDecoded(_ text: [UInt8], _ expected: [UInt8]) -> Bool {
        let texts = [text, expected].map {
            PlantSearch.withoutDigits(PlantSearch.flattened(PlantSearch.percentDecoded($0)))
        }
        return texts[0] == texts[1]
    }

    private static func missing(_ decoys: [Plant], in text: [UInt8], expected: [UInt8]) -> [String] {
        decoys.filter { PlantSearch.count(of: $0.value, in: text) < PlantSearch.count(of: $0.value, in: expected) }.map(
            \.name)
    }

    /// Returns the elements of both lists alternately.
    package static func mixed(_ secrets: [Plant], _ decoys: [Plant]) -> [Plant] {
        var plants: [Plant] = []
        for index in 0..<max(secrets.count, decoys.count) {
            if index < secrets.count { plants.append(secrets[index]) }
            if index < decoys.count { plants.append(decoys[index]) }
        }
        return plants
    }
}
