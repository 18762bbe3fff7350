import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// The merge driver that `har merge --driver` runs for Git
/// (https://git-scm.com/docs/gitattributes#_defining_a_custom_merge_driver).
struct MergeDriver {
    private let ancestor: Input
    private let ours: Input
    private let theirs: Input
    private let markerSize: Int

    /// The path of the archive in messages.
    private let name: String

    /// Creates a driver.
    ///
    /// - Parameter arguments: The arguments that Git replaces %O, %A, %B, %L and %P with. The last two are optional.
    init(_ arguments: [Input]) {
        (ancestor, ours, theirs) = (arguments[0], arguments[1], arguments[2])
        markerSize = arguments.count > 3 ? Int(arguments[3].argument) ?? 7 : 7
        name = arguments.count > 4 ? arguments[4].argument : ours.argument
    }

    /// Throws a usage error if a merge driver has other arguments.
    static func validate(_ arguments: [Input]) throws {
        guard 3...5 ~= arguments.count else {
            throw ValidationError("--driver: expected 3 to 5 arguments (%O %A %B %L %P), found \(arguments.count)")
        }
        guard arguments.count > 3 else { return }
        let size = arguments[3].argument
        guard let number = Int(size), 1...1000 ~= number else {
            throw ValidationError("--driver: expected the size of conflict markers, found '\(size.printable)'")
        }
    }

    /// Merges the versions.
    ///
    /// - Parameter sizes: The limits on input.
    /// - Throws: An error if a version is damaged or the result cannot be written; `ExitCode` after conflicts.
    func run(_ sizes: SizeOptions) throws {
        let base = ancestor.url.fileSize == 0 ? [] : try text(of: ancestor, "the common ancestor", sizes)
        let mine = try text(of: ours, "our version", sizes)
        let yours = try text(of: theirs, "their version", sizes)
        guard let merge = ArchiveMerge(base: base, ours: mine, theirs: yours, markerSize: markerSize) else {
            throw HARError(.notAnArchive, "the versions cannot be merged by entry", at: .init(file: name))
        }
        if merge.text != mine {
            let output = try OutputFile(url: ours.url)
            try output.write(merge.text)
            try output.finish()
        }
        guard !merge.conflicts.isEmpty else { return }
        for conflict in merge.conflicts.prefix(Self.shownCount) {
            StandardError.line("har: warning: \(name): both sides changed \(conflict)".printable)
        }
        let rest = merge.conflicts.count - Self.shownCount
        if rest > 0 { StandardError.line("har: warning: \(name): … and \(rest) more".printable) }
        throw ExitCode.failure
    }

    /// The maximum number of conflicts to print.
    private static let shownCount = 20

    /// Returns the text of a version after validating it.
    private func text(of input: Input, _ version: String, _ sizes: SizeOptions) throws(HARError) -> [UInt8] {
        do throws(HARError) {
            let archive = try input.archive(sizes)
            try archive.validate()
            guard let size = archive.file.size, size == input.url.fileSize else {
                throw HARError(.notAnArchive, "expected an archive without compression")
            }
            return try archive.file.bytes(in: 0..<size)
        } catch {
            var context = error.context
            context.file = "\(name) (\(version))"
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
    }
}
