import PlantedSecrets
import TestSupport

extension PlantPlace {
    /// Returns one of several groups of places, or a part of it unless all cases are run.
    static func all(in group: Int, of groupCount: Int) -> [PlantPlace] {
        let places = all.enumerated().filter { $0.offset % groupCount == group }.map(\.element)
        return Cases.some(places.count / 10 + 2, of: places)
    }
}
