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

    private var isStandardOutput: Bool { argument == "-" }

    private var url: URL { URL(fileURLWithPath: argument) }

    /// The folder for the files of bodies: that of the file, or the current one for a pipe or a device.
    var folder: HAR.BodyFolder {
        isStandardOutput || !OutputFile.isFile(url)
            ? HAR.BodyFolder(URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
            : HAR.BodyFolder(ofArchive: url)
    }

    /// Starts an archive.
    ///
    /// - Parameters:
    ///   - layout: The layout of the text; as it was read by default.
    ///   - isRedacted: Whether a new file follows the umask; false by default, which makes it private, since archives hold
    ///     cookies and tokens.
    ///   - isNew: Whether it is an error if the file exists; false by default.
    /// - Returns: The writer, which has to be finished.
    /// - Throws: `unwritableFile`.
    func writer(
        layout: JSONLayout = .unchanged, isRedacted: Bool = false, isNew: Bool = false
    ) throws(HARError) -> HARWriter {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        configuration.isPrivate = !isRedacted
        configuration.replacesFile = !isNew
        return isStandardOutput
            ? HARWriter(handle: .standardOutput, configuration: configuration)
            : try HARWriter(to: url, configuration: configuration)
    }

    /// Starts a file of another form than an archive, which is private if it is new.
    ///
    /// - Returns: The file, which has to be finished.
    /// - Throws: `unwritableFile`.
    func file() throws(HARError) -> OutputFile {
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        return isStandardOutput
            ? OutputFile(handle: .standardOutput, name: "standard output")
            : try OutputFile(url: url, settings: settings)
    }

    /// Throws if the output is the input, under any name, whose content it would replace by another form.
    ///
    /// - Parameter input: The input.
    /// - Throws: `unwritableFile`.
    func mustNotBe(_ input: Input) throws(HARError) {
        guard !isStandardOutput, let file = FileIdentity(of: argument), file.isRegular,
            file == FileIdentity(of: input.isStandardInput ? "/dev/stdin" : input.argument)
        else { return }
        throw HARError(
            .unwritableFile, "The output is the archive itself, which would be lost; choose another name for it.",
            at: .init(file: argument))
    }

    /// Throws where a file is there already.
    ///
    /// - Parameter reason: What the user may have meant, as a sentence.
    /// - Throws: `unwritableFile`.
    func mustBeNew(_ reason: String) throws(HARError) {
        guard !isStandardOutput, OutputFile.isFile(url), FileIdentity(of: argument) != nil else { return }
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
