import Foundation

extension HARArchive {
    /// The folder of the archive, in which files may be as large as the reader's largest value.
    package var bodyFolder: HAR.BodyFolder {
        var folder = HAR.BodyFolder(ofArchive: url)
        folder.maximumFileSize = limits.valueSize
        return folder
    }
}
