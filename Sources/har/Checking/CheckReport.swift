import Foundation
import HTTPArchive

/// Writes the findings of a check as they come, and counts them.
struct CheckReport {
    /// Where it goes.
    let output = StandardOutput()

    private var list: JSONList?
    private var unreadable: [JSONValue] = []
    private let fileCount: Int
    private var counts: [HARFinding.Severity: Int] = [:]

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - fileCount: The number of files that are checked.
    ///   - isJSON: Whether it is for machines.
    /// - Throws: What standard output throws.
    init(of fileCount: Int, isJSON: Bool) throws {
        self.fileCount = fileCount
        list = isJSON ? try JSONList(to: output, as: "findings") : nil
    }

    /// Whether something was found that the exit status is to tell.
    var hasErrors: Bool { !unreadable.isEmpty || count(.error) > 0 }

    /// Writes a finding.
    mutating func add(_ finding: HARFinding, of file: String) throws {
        counts[finding.severity, default: 0] += 1
        guard list != nil else {
            let place = finding.pointer.components.isEmpty ? "" : " at \(finding.pointer)"
            let offset = finding.byteOffset.map { " (byte \($0))" } ?? ""
            let text = "\(finding.severity.rawValue): \(finding.message) [\(finding.rule)]\(place)\(offset)"
            return try output.line("\(file): \(text)".printable)
        }
        try list?.append([
            "file": .text(file), "severity": .text(finding.severity.rawValue),
            "rule": .text(finding.rule.description), "message": .text(finding.message),
            "pointer": .text(finding.pointer.description), "byteOffset": .integer(finding.byteOffset),
        ])
    }

    /// Notes a file that cannot be read, or not to its end.
    mutating func add(_ error: HARError, of file: String) throws {
        unreadable.append(["file": .text(file), "message": .text(error.description)])
        try output.flush()
        Tool.write(error)
    }

    /// Writes the numbers.
    func finish() throws {
        if let list {
            try list.finish([
                "unreadable": .array(unreadable), "files": .integer(fileCount),
                "errors": .integer(count(.error)), "warnings": .integer(count(.warning)),
                "notes": .integer(count(.note)),
            ])
        } else {
            let numbers = [
                count(.error).of("error", "errors"), count(.warning).of("warning", "warnings"),
                count(.note).of("note", "notes"),
            ]
            let missing = unreadable.isEmpty ? "" : " (\(unreadable.count) not readable)"
            try output.line("\(fileCount.of("file", "files"))\(missing): \(numbers.joined(separator: ", "))")
        }
        try output.flush()
    }

    private func count(_ severity: HARFinding.Severity) -> Int { counts[severity, default: 0] }
}
