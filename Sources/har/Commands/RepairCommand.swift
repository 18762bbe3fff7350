import ArgumentParser
import Foundation
import HTTPArchive

/// `har repair`: an archive made whole whose writing was broken off.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Mend an archive whose end is missing.",
        discussion: """
            A recorder that was killed, or a download that broke off, leaves an archive without its end. What is not whole \
            there is cut off, and what was open is closed, in the file itself; all entries before stay byte for byte. A \
            file that is whole stays as it is. So does one that is broken otherwise, such as in its middle, where cutting \
            off would lose entries: that is an error. To keep the broken file, copy it first.

            Example: har repair recorded.har

            One line is written: the number of entries that the archive has, and how much was cut off. Exit status: 0 when \
            the file is whole now, 1 when it cannot be mended.
            """)

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput { throw ValidationError("The archive must be a file: it is mended in its place.") }
    }

    func run() throws {
        let repair = try HARRepair(of: file.url)
        let entries = repair.entryCount.of("entry", "entries")
        let output = StandardOutput()
        if let count = repair.removedByteCount {
            try output.line("\(file.name.printable): mended; \(entries) kept, \(count.asBytes) cut off")
        } else {
            try output.line("\(file.name.printable): whole; \(entries)")
        }
        try output.flush()
    }
}
