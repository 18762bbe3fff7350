import Foundation
import HTTPArchive
import PlantedSecrets
import Testing

/// Secrets under many names in every part of an archive, in all encodings.
@Suite(.limited) struct RedactionProofTests {
    private static let groupCount = 16

    @Test(arguments: 0..<groupCount)
    func `redaction removes all secrets and nothing else`(group: Int) throws {
        let redactor = try HARRedactor.test()
        for place in PlantPlace.all(in: group, of: Self.groupCount) {
            let failure = PlantProof(place, by: redactor).failure
            #expect(failure == nil, "\(place.title)")
        }
    }

    @Test func `at least 60 locations are tested with at least 30 names`() {
        #expect(Set(PlantPlace.all.map(\.title)).count == PlantPlace.all.count)
        let large = PlantPlace.all.filter { place in Set(place.secrets.joined().map(\.name)).count >= 30 }
        #expect(Set(large.map(\.name)).count >= 60)
    }
}
