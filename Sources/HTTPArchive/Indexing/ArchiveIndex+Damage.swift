extension ArchiveIndex {
    /// Indexes a file, or what is whole of one whose writing was broken off.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: The settings of the reader.
    /// - Returns: The index, and what is wrong at the end of the file; `nil` when it is whole.
    /// - Throws: What indexing a file throws in which more is wrong.
    static func ofWhole(
        _ file: InputFile, configuration: HARReader.Configuration
    ) throws(HARError) -> (index: ArchiveIndex, damage: HARError?) {
        do {
            return (try ArchiveIndex(of: file, configuration: configuration), nil)
        } catch {
            guard error.code == .malformedJSON,
                let remains = try ArchiveRemains(of: file, limits: configuration.limits),
                let place = remains.place
            else { throw error }
            let count = remains.table.count
            let damage = HARError(
                error.code,
                "The writing of the archive was broken off; \(count) of its entries \(count == 1 ? "is" : "are") whole. "
                    + "`har repair` mends the file, and so does appending to it.",
                at: error.context, underlying: error)
            let index = ArchiveIndex(
                table: remains.table, log: remains.log, place: place, neededLimits: configuration.limits)
            return (index, damage)
        }
    }
}
