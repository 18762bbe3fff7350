import ArchiveInspection
import ArchiveShapes
import Foundation
import HTTPArchive

/// The output of `har verify`.
struct VerifyOutput {
    private let command: VerifyCommand
    private let archive: HARArchive
    private let plan: VerificationPlan
    private let output = StandardOutput()

    /// The maximum number of carried values to list before the requests are sent.
    private static let listLimit = 10

    /// Creates an output.
    init(of command: VerifyCommand, archive: HARArchive, plan: VerificationPlan) {
        self.command = command
        self.archive = archive
        self.plan = plan
    }

    private func request(_ index: Int) -> String {
        let summary = archive.summary(at: index)
        return "\(summary.method) \(MessageRedactor.standard.url(summary.url))".printable
    }

    /// Prints the values that requests take from earlier responses to standard error.
    func printCarriedValues() {
        let lines = carriedLines
        for line in lines.prefix(Self.listLimit) { StandardError.line("har: note: \(line)") }
        if lines.count > Self.listLimit {
            StandardError.line("har: note: … and \(lines.count - Self.listLimit) more; --dry-run lists all")
        }
    }

    private var carriedLines: [String] {
        plan.steps.sorted { $0.entry < $1.entry }.flatMap { step in
            (plan.carried.uses[step.entry] ?? []).map { use in
                "entry \(step.entry) takes its \(Self.text(use.location)) from entry \(use.source.entry), \(Self.text(use.source.location))"
                    .printable
            }
        }
    }

    private static func text(_ location: OutgoingRequest.Location) -> String {
        switch location {
        case .target: "path and query"
        case .segment(let index): "path segment \(index)"
        case .query(let name): "parameter \(name)"
        case .header(let name): "header \(name)"
        case .body(let pointer): "body \(pointer)"
        case .form(let name): "form field \(name)"
        }
    }

    private static func text(_ location: GivenValue.Location) -> String {
        switch location {
        case .body(let pointer): "body \(pointer)"
        case .header(let name): "header \(name)"
        case .field(let name): "form field \(name)"
        }
    }

    /// Prints the requests that would be sent.
    func print(_ preview: [(entry: Int, url: Result<String, VerificationPlan.Reason.Failure>)]) throws {
        var reasons: [(reason: VerificationPlan.Reason, entries: [Int])] = []
        for (entry, result) in preview {
            switch result {
            case .success(let url):
                let method = archive.summary(at: entry).method
                try output.line("\(entry)  \(method) \(MessageRedactor.standard.url(url))".printable)
            case .failure(let failure): Self.add(failure.reason, entry, to: &reasons)
            }
        }
        for line in carriedLines { try output.line(line) }
        for line in Self.lines(of: reasons) { try output.line(line) }
        try output.flush()
    }

    private static func add(
        _ reason: VerificationPlan.Reason, _ entry: Int,
        to reasons: inout [(reason: VerificationPlan.Reason, entries: [Int])]
    ) {
        if let index = reasons.firstIndex(where: { $0.reason == reason }) {
            reasons[index].entries.append(entry)
        } else {
            reasons.append((reason, [entry]))
        }
    }

    private static func lines(of reasons: [(reason: VerificationPlan.Reason, entries: [Int])]) -> [String] {
        reasons.map { reason, entries in
            "not sent: \(entries.count.of("request", "requests")) (\(list(entries))): \(text(reason))".printable
        }
    }

    private static func list(_ entries: [Int]) -> String {
        let listed = entries.prefix(8).map(String.init).joined(separator: ", ")
        return (entries.count == 1 ? "entry " : "entries ") + listed + (entries.count > 8 ? ", …" : "")
    }

    private static func text(_ reason: VerificationPlan.Reason) -> String {
        switch reason {
        case .otherOrigin(let origin): "no server is named for \(origin); use --against \(origin)=URL"
        case .unsafeMethod(let method): "\(method) changes data on the server; use --unsafe to send it"
        case .noResponse: "the entry has no HTTP response"
        case .missingBody: "the archive does not contain the body of the request"
        case .dependency(let entry): "a value from the response of entry \(entry) is needed, which was not sent"
        case .missingSecret(let name): "a secret is needed; use --secret \(shellWord(name))=VALUE"
        case .unavailable(let reason): reason
        case .notRecorded: "the other archive has no such request"
        }
    }

    /// Prints the result of a verification.
    func print(_ report: VerificationReport) throws {
        var reasons: [(reason: VerificationPlan.Reason, entries: [Int])] = []
        for (entry, reason) in report.skipped.sorted(by: { $0.key < $1.key }) { Self.add(reason, entry, to: &reasons) }
        // The most severe findings come first.
        let findings = report.findings.all.enumerated()
            .sorted { ($1.element.grade, $0.offset) < ($0.element.grade, $1.offset) }.map(\.element)
        if command.json {
            let text = json(report, findings, reasons).data(layout: .pretty) + Data("\n".utf8)
            try output.write(json: text)
        } else if command.github {
            for finding in findings { try output.line(annotation(finding)) }
            for line in problems(report, reasons) { try output.line("::warning::\(Self.escaped(line))") }
        } else {
            for finding in findings {
                let color = finding.grade == .changed ? "31" : finding.grade == .missing ? "33" : nil
                try output.line(headline(finding).printable, color: color)
                try output.line("    recorded: \(finding.key.difference.recorded)".printable)
                try output.line("    now:      \(finding.key.difference.current)".printable)
                try output.line("    update:   \(updateCommand(finding))".printable)
            }
            for line in problems(report, reasons) { try output.line(line) }
            try output.line(summary(report))
        }
        try output.flush()
        if let junit = command.junit {
            let file = try OutputFile(url: URL(fileURLWithPath: junit))
            try file.write([UInt8](JUnitReport(findings, of: self, problems(report, reasons), report).text.utf8))
            try file.finish()
        }
    }

    /// The lines about requests that were not sent or were refused.
    private func problems(
        _ report: VerificationReport, _ reasons: [(reason: VerificationPlan.Reason, entries: [Int])]
    ) -> [String] {
        var lines = report.refusals.sorted { $0.key < $1.key }.map { server, count in
            "\(server) asks for credentials: \(count.of("request", "requests")) refused; use --secret authorization=VALUE"
                .printable
        }
        lines += Self.lines(of: reasons)
        if !report.fallbacks.isEmpty {
            lines.append(
                "a recorded value was sent, because the current response lacks it: "
                    + Self.list(report.fallbacks.sorted()))
        }
        return lines
    }

    private func summary(_ report: VerificationReport) -> String {
        let counts = Shape.Difference.Grade.allCases.reversed().map { grade in
            (grade.rawValue, report.findings.all.filter { $0.grade == grade }.count)
        }
        let list = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        let equal = report.responseCount - report.drifted.count - report.refusals.values.reduce(0, +)
        return "\(report.responseCount.of("response", "responses")): \(equal) as recorded, "
            + "\(report.drifted.count) different" + (list.isEmpty ? "" : " (\(list))")
    }

    /// The grade, the location and the difference, as in `changed  GET /items  body /*/price: type changed`.
    func headline(_ finding: Finding) -> String {
        let difference = finding.key.difference
        let location = "\(finding.key.part) \(difference.pointer)".trimming(.whitespaces)
        return "\(finding.grade.rawValue)  \(finding.key.endpoint)  \(location): \(difference.text)"
            + " (\(Self.list(finding.entries)))"
    }

    /// The command that replaces the recorded responses with current ones.
    func updateCommand(_ finding: Finding) -> String {
        var words = ["har", "verify", command.file.argument]
        words += command.against.flatMap { ["--against", $0] }
        if command.live { words.append("--live") }
        if command.unsafe { words.append("--unsafe") }
        words += ["--entries", finding.entries.map(String.init).joined(separator: ","), "--update"]
        return words.map(Self.shellWord).joined(separator: " ")
    }

    /// Returns a word of a command, quoted if necessary.
    private static func shellWord(_ word: String) -> String {
        word.wholeMatch(of: #/[A-Za-z0-9_./:,@=-]+/#) == nil ? ShellText.quoted(word) : word
    }

    private func json(
        _ report: VerificationReport, _ findings: [Finding],
        _ reasons: [(reason: VerificationPlan.Reason, entries: [Int])]
    ) -> JSONValue {
        [
            "requests": .integer(plan.steps.count), "responses": .integer(report.responseCount),
            "different": .integer(report.drifted.count), "carried": .integer(report.carriedCount),
            "findings": .array(
                findings.map { finding in
                    [
                        "grade": .text(finding.grade.rawValue), "endpoint": .text(finding.key.endpoint),
                        "part": .text(finding.key.part), "pointer": .text("\(finding.key.difference.pointer)"),
                        "text": .text(finding.key.difference.text), "recorded": .text(finding.key.difference.recorded),
                        "current": .text(finding.key.difference.current), "count": .integer(finding.count),
                        "entries": .array(finding.entries.map { .integer($0) }),
                        "update": .text(updateCommand(finding)),
                    ]
                }),
            "refused": .array(
                report.refusals.sorted { $0.key < $1.key }.map { server, count in
                    ["server": .text(server), "requests": .integer(count)]
                }),
            "notSent": .array(
                reasons.map {
                    ["reason": .text(Self.text($0.reason)), "entries": .array($0.entries.map { .integer($0) })]
                }),
        ]
    }

    private func annotation(_ finding: Finding) -> String {
        let level = finding.grade == .changed ? "error" : finding.grade == .missing ? "warning" : "notice"
        let line = finding.entries.first.flatMap { index in
            try? archive.file.position(at: archive.byteRange(at: index).lowerBound).line
        }
        let file = Self.escaped(command.file.argument, inProperty: true)
        let difference = finding.key.difference
        let text =
            "\(headline(finding))\nrecorded: \(difference.recorded)\nnow: \(difference.current)\n"
            + "update: \(updateCommand(finding))"
        return "::\(level) file=\(file)\(line.map { ",line=\($0)" } ?? "")::\(Self.escaped(text))"
    }

    /// Returns text escaped for a workflow command of GitHub Actions.
    private static func escaped(_ text: String, inProperty: Bool = false) -> String {
        let text = text.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "\r", with: "%0D")
            .replacingOccurrences(of: "\n", with: "%0A")
        guard inProperty else { return text }
        return text.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: ",", with: "%2C")
    }
}

/// The result of a verification as JUnit XML, with a test case for each finding.
private struct JUnitReport {
    let text: String

    init(_ findings: [Finding], of output: VerifyOutput, _ problems: [String], _ report: VerificationReport) {
        let failures = findings.filter { $0.grade != .added }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="har verify" tests="\#(findings.count + 1)" failures="\#(failures.count)">"#,
            #"  <testcase classname="har verify" name="\#(report.responseCount) responses">"#,
        ]
        if !problems.isEmpty {
            lines.append("    <system-out>\(Self.escaped(problems.joined(separator: "\n")))</system-out>")
        }
        lines.append("  </testcase>")
        for finding in findings {
            let difference = finding.key.difference
            let name = Self.escaped("\(finding.key.part) \(difference.pointer): \(difference.text)")
            lines.append(#"  <testcase classname="\#(Self.escaped(finding.key.endpoint))" name="\#(name)">"#)
            let text = Self.escaped(
                "\(output.headline(finding))\nrecorded: \(difference.recorded)\nnow: \(difference.current)\n"
                    + "update: \(output.updateCommand(finding))")
            let element = finding.grade == .added ? "system-out" : "failure"
            let attributes = finding.grade == .added ? "" : #" type="\#(finding.grade.rawValue)" message="\#(name)""#
            lines += ["    <\(element)\(attributes)>\(text)</\(element)>", "  </testcase>"]
        }
        self.text = (lines + ["</testsuite>", ""]).joined(separator: "\n")
    }

    /// Returns text for XML, without characters that XML cannot contain.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
