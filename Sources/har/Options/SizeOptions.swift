import ArgumentParser
import EntryConditions
import HTTPArchive

/// The options that change the limits on input.
///
/// Errors about exceeded limits name these options.
struct SizeOptions: ParsableArguments {
    @Option(help: "The maximum size of an entry or a body file, such as 500MB; 100MB by default.")
    var sizeLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "The maximum size of compressed input after decompression, such as 20GB; 10GB by default.",
            visibility: .hidden))
    var decompressedLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "The maximum number of entries; by default 1,000,000, or more if they are 256 bytes long on average.",
            visibility: .hidden))
    var entryLimit: Int?

    @Option(help: ArgumentHelp("The maximum nesting depth of JSON; 512 by default.", visibility: .hidden))
    var depthLimit: Int?

    @Option(
        help: ArgumentHelp("The maximum number of fields outside the entries; 100,000 by default.", visibility: .hidden)
    )
    var fieldLimit: Int?

    func validate() throws {
        let greatest = HARReader.Configuration.greatestDepth
        if let depthLimit, !(1...greatest).contains(depthLimit) {
            throw ValidationError("--depth-limit must be from 1 to \(greatest)")
        }
    }

    /// The limits of a reader.
    var reader: HARReader.Configuration {
        var configuration = HARReader.Configuration()
        if let sizeLimit { configuration.maximumValueSize = sizeLimit.bytes }
        if let decompressedLimit { configuration.maximumDecompressedSize = decompressedLimit.bytes }
        if let entryLimit { configuration.maximumEntryCount = entryLimit }
        if let depthLimit { configuration.maximumDepth = depthLimit }
        if let fieldLimit { configuration.maximumFieldCount = fieldLimit }
        return configuration
    }

    /// Returns the body folder of an archive, with the limits for its files.
    ///
    /// - Parameter input: The archive.
    /// - Returns: The folder.
    func folder(of input: Input) -> HAR.BodyFolder { input.folder.limited(by: reader) }
}
