import ArgumentParser
import Foundation
import HTTPArchive

/// An output file as a command-line argument: a path, or `-` for standard output.
struct Output: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"] + CompressionFormats.extensions)

    let argument: String

    var defaultValueDescription: String { argument }

    /// Whether the output is standard output.
    var isStandardOutput: Bool { argument == "-" }

    /// Whether the output is a file, rather than standard output, a pipe or a device.
    var isNamed: Bool { !isStandardOutput && OutputFile.isFile(url) }

    /// Whether the output is a file, such as a zip file, in which other files would have to be stored as well.
    var storesSeveralFiles: Bool { isNamed && CompressionFormats.storesSeveralFiles(url) }

    /// Whether the output may appear on a terminal, among which a progress bar would be written.
    var mayBeTerminal: Bool { isStandardOutput ? Terminal.isConnected(to: STDOUT_FILENO) : !OutputFile.isFile(url) }

    /// The location of the file.
    var url: URL { URL(fileURLWithPath: argument) }

    /// The folder for body files: the folder of the output, or the current folder for a pipe or a device.
    var folder: HAR.BodyFolder {
        isNamed
            ? HAR.BodyFolder(ofArchive: url)
            : HAR.BodyFolder(URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
    }

    /// Creates a writer for an archive.
    ///
    /// - Parameters:
    ///   - layout: The layout of the JSON text; unchanged by default.
    ///   - isRedacted: Whether the archive is redacted, so that the permissions of a new file follow the umask. By
    ///     default, a new file is private, because archives hold cookies and tokens.
    ///   - isNew: Whether an existing file is an error; `false` by default.
    /// - Returns: The writer. Call `finish()` after writing all entries.
    /// - Throws: `unwritableFile`.
    func writer(
        layout: JSONLayout = .unchanged, isRedacted: Bool = false, isNew: Bool = false
    ) throws(HARError) -> HARWriter {
        try requireSupportedFormat()
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        configuration.isPrivate = !isRedacted
        configuration.replacesFile = !isNew
        let writer =
            isStandardOutput
            ? HARWriter(handle: .standardOutput, configuration: configuration)
            : try HARWriter(to: url, configuration: configuration)
        writer.unreadBodyHandler = Self.warn(ofUnreadBody:)
        return writer
    }

    /// Prints a warning about a body file that cannot be copied into an archive.
    static func warn(ofUnreadBody error: HARError) {
        let file = error.context.file.map { "\($0): " } ?? ""
        StandardError.line(
            "har: warning: \(file)body file not copied, although the output refers to it: \(error.message)".printable)
    }

    /// Creates a file other than an archive.
    ///
    /// A new file is private.
    ///
    /// - Parameter isNew: Whether an existing file is an error; `false` by default.
    /// - Returns: The file. Call `finish()` after writing the whole content.
    /// - Throws: `unwritableFile`.
    func file(isNew: Bool = false) throws(HARError) -> OutputFile {
        try requireSupportedFormat()
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.compression = .byName
        settings.replacesFile = !isNew
        return isStandardOutput
            ? OutputFile(handle: .standardOutput, name: "standard output")
            : try OutputFile(url: url, settings: settings)
    }

    /// Throws if the extension of the output belongs to a format that cannot be written.
    private func requireSupportedFormat() throws(HARError) {
        let name = url.pathExtension.lowercased()
        guard !isStandardOutput, ["7z", "lzma", "lzo", "rar", "tar", "tgz", "txz", "z"].contains(name) else { return }
        let formats = CompressionFormats.extensions.map { ".\($0)" }.joined(separator: ", ")
        throw HARError(
            .unwritableFile, "cannot write a file in the format .\(name); for compression, use one of: \(formats)",
            at: .init(file: argument))
    }

    /// Throws if the output is the same file as the input, because it would overwrite the input in another format.
    ///
    /// - Parameter input: The input.
    /// - Throws: `unwritableFile`.
    func requireDistinct(from input: Input) throws(HARError) {
        guard !isStandardOutput, let file = FileIdentity(of: argument), file.isRegular,
            file == FileIdentity(of: input.isStandardInput ? "/dev/stdin" : input.argument)
        else { return }
        throw HARError(
            .unwritableFile, "the output would overwrite the input; choose another name",
            at: .init(file: argument))
    }

    /// Throws if the file exists.
    ///
    /// - Parameter hint: The correction to suggest.
    /// - Throws: `unwritableFile`.
    func requireNew(hint: String) throws(HARError) {
        guard isNamed, FileIdentity(of: argument) != nil else { return }
        throw HARError(.unwritableFile, "the file already exists; \(hint)", at: .init(file: argument))
    }
}

extension FileManager {
    /// Whether a path names a folder or a symbolic link to a folder.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Whether a path names a regular file or a symbolic link to a regular file.
    func isRegularFile(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return (try? attributesOfItem(atPath: target))?[.type] as? FileAttributeType == .typeRegular
    }
}
