import ArgumentParser
import Foundation
import HTTPArchive

/// An archive to write as it is named on the command line: a file, or `-` for standard output.
struct Output: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"])

    /// What was typed.
    let argument: String

    init(argument: String) {
        self.argument = argument
    }

    /// Where bodies in files of their own go: beside the archive.
    var folder: URL {
        argument == "-"
            ? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            : URL(fileURLWithPath: argument).deletingLastPathComponent()
    }

    /// Begins to write.
    ///
    /// - Parameter layout: How the text is laid out; as it was read by default.
    /// - Returns: The writer, which is to be finished.
    /// - Throws: `unwritableFile`.
    func writer(layout: JSONLayout = .unchanged) throws(HARError) -> HARWriter {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        return argument == "-"
            ? HARWriter(handle: .standardOutput, configuration: configuration)
            : try HARWriter(to: URL(fileURLWithPath: argument), configuration: configuration)
    }

    /// Throws where a file is there already.
    ///
    /// - Parameter reason: What the user may have meant, as a sentence.
    /// - Throws: `unwritableFile`.
    func mustBeNew(_ reason: String) throws(HARError) {
        guard argument != "-", FileManager.default.isRegularFile(argument) else { return }
        throw HARError(.unwritableFile, "The file is there already. \(reason)", at: .init(file: argument))
    }
}

extension FileManager {
    /// Whether there is a file of bytes at a path, or a link to one.
    func isRegularFile(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? attributesOfItem(atPath: target))?[.type] as? FileAttributeType == .typeRegular
    }
}
