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

    /// Where bodies in files of their own are: beside the archive.
    var folder: URL {
        isStandardInput
            ? URL(fileURLWithPath: FileManager.default.currentDirectoryPath) : url.deletingLastPathComponent()
    }

    /// Whether a kept index of an archive is used: one that `har index` made.
    static let index = HARArchive.IndexUse.use()

    /// Opens it.
    func reader() throws(HARError) -> HARReader {
        isStandardInput ? HARReader(handle: .standardInput, name: name) : try HARReader(contentsOf: url)
    }
}
