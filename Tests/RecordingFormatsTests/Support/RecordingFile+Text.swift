import ArchiveChecking
import Foundation
import HTTPArchive
import RecordingFormats

extension RecordingFile {
    /// Creates a file that contains the given text and was modified on January 2, 2026.
    init(_ text: String, at path: String = "/recordings/a.json", below folder: String? = nil) {
        self.init(
            url: URL(fileURLWithPath: path), folder: folder.map { URL(fileURLWithPath: $0) },
            date: Date(timeIntervalSince1970: 1_767_312_000), data: Data(text.utf8))
    }
}

extension RecordingFormat {
    /// Returns the entries of a file that contains the given text.
    static func entries(of text: String) throws(HARError) -> [HAR.Entry] { try entries(of: RecordingFile(text)) }

    /// Returns the error for a file that contains the given text, or nil if the file is valid.
    static func error(of text: String) -> HARError? {
        do {
            _ = try entries(of: text)
            return nil
        } catch {
            return error
        }
    }
}

extension [HAR.Entry] {
    /// The findings of a check of these entries.
    var findings: [String] {
        get throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har")
            defer { try? FileManager.default.removeItem(at: file) }
            let writer = try HARWriter(to: file)
            for entry in self { try writer.append(entry) }
            try writer.finish()
            let reader = try HARReader(contentsOf: file)
            var checker = HARChecker()
            var findings: [HARFinding] = []
            while let event = try reader.nextEvent() { findings += checker.check(event) }
            return (findings + checker.finish()).map(\.description)
        }
    }
}
