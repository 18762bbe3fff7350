import Foundation
import HTTPArchive
import Testing

/// Text from archives that spreadsheets would evaluate.
@Suite(.limited) struct FormulaTests {
    private static let formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=\"a\",b", "\u{FF1D}1"]

    private func folder(_ text: String) throws -> TemporaryFolder {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: "=\(text)")
        entry.request.method = text
        entry.pageref = text
        entry.response.statusText = text
        entry["_error"] = .string(JSONString(text))
        entry.response.headers = [HAR.Header(name: text, value: text)]
        let folder = try TemporaryFolder()
        try folder.write(.sample(entry), to: "a.har")
        return folder
    }

    private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }

    @Test(arguments: formulas)
    func `--csv-safe writes an apostrophe before text that begins like a formula`(text: String) async throws {
        let folder = try folder(text)
        let columns = ["--columns", "method,status_text,page_id,error,status,time_ms,response_headers"]
        let run = try await HarRun(["table", "a.har", "--csv-safe"] + columns, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let fields = run.output.replacing("\"", with: "").components(separatedBy: "'" + text.replacing("\"", with: ""))
        #expect(fields.count == 5, "\(run.output)")
        #expect(run.output.contains(",200,12.25,\"{"))
        let stats = try await HarRun("stats", "a.har", "--by", "method", "--csv", "--csv-safe", in: folder)
        // Carriage returns are replaced in text for terminals.
        let name = "'" + text.replacing("\r", with: "\u{FFFD}")
        #expect(
            stats.output.contains("\n\(name),1,") || stats.output.contains("\n\(quoted(name)),1,"), "\(stats.output)")
    }

    @Test(arguments: formulas)
    func `without the option, query engines read the recorded text`(text: String) async throws {
        let run = try await HarRun("table", "a.har", "--columns", "method,status", in: try folder(text))
        #expect(["method,status\n\(text),200\n", "method,status\n\(quoted(text)),200\n"].contains(run.output))
    }

    @Test(arguments: [
        "table --csv-safe --format ndjson a.har", "table --csv-safe -o a.ndjson a.har", "stats --csv-safe a.har",
    ])
    func `the option is an error without CSV`(command: String) async throws {
        let run = try await HarRun(command.split(separator: " ").map(String.init), in: try folder("a"))
        #expect(run.status == 2)
        #expect(run.errors.contains("--csv-safe requires"), "\(run.errors)")
    }
}
