import ArgumentParser
import Foundation
import HTTPArchive

/// An archive as it is named on the command line: a file, or `-` for standard input.
struct Input: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"])

    /// What was typed.
    let argument: String

    init(argument: String) {
        self.argument = argument
    }

    /// Whether it is standard input.
    var isStandardInput: Bool { argument == "-" }

    /// What messages call it.
    var name: String { isStandardInput ? "standard input" : argument }

    /// The file.
    var url: URL { URL(fileURLWithPath: argument) }

    /// The folder of the archive, which has the files of bodies.
    var folder: HAR.BodyFolder {
        isStandardInput
            ? HAR.BodyFolder(
                URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
                archive: URL(fileURLWithPath: "/dev/stdin"))
            : HAR.BodyFolder(ofArchive: url)
    }

    /// Whether a kept index of an archive is used: one that `har index` made.
    static let index = HARArchive.IndexUse.use()

    /// Opens it.
    func reader() throws(HARError) -> HARReader {
        isStandardInput ? HARReader(handle: .standardInput, name: name) : try HARReader(contentsOf: url)
    }
}
