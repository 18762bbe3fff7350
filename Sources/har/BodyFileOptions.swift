import ArgumentParser
import HTTPArchive

/// The settings for the files beside an archive that hold bodies.
struct BodyFileOptions: ParsableArguments {
    @Option(help: "The largest file of a body beside the archive that is read, as 500MB; 1GiB by default.")
    var maxFileSize: ByteCount?

    /// Returns the folder of an archive, with these settings.
    ///
    /// - Parameter input: The archive.
    /// - Returns: The folder.
    func folder(of input: Input) -> HAR.BodyFolder {
        var folder = input.folder
        if let maxFileSize { folder.maximumFileSize = maxFileSize.bytes }
        return folder
    }
}
