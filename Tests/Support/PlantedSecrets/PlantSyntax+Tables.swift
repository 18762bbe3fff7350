// MARK: CSV, SQL and PHP

extension PlantSyntax {
    private static func quoted(_ text: String, _ quote: String) -> String {
        quote + text.replacing(quote, with: quote + quote) + quote
    }

    private static func table(
        _ name: String, _ type: String, _ delimiter: String, _ alphabet: PlantAlphabet = .any,
        _ encodings: [PlantEncoding] = [], _ field: @escaping @Sendable (String) -> String
    ) -> PlantSyntax {
        PlantSyntax(name: name, type: type, alphabet: alphabet, encodings: encodings) { plants in
            [plants.map(\.name), plants.map(\.value)].map { row in
                (["n"] + row).map(field).joined(separator: delimiter) + "\n"
            }.joined()
        }
    }

    static let tables = [
        table("CSV", "text/csv; charset=utf-8", ",", .any, [.gzip, .base64, .utf16]) { quoted($0, "\"") },
        table("CSV with semicolons", "text/csv", ";", .token) { $0 },
        table("CSV as text/plain", "text/plain", ",", .token, [.json]) { $0 },
        table("TSV", "text/tab-separated-values", "\t", .token) { $0 },
    ]

    private static let insertion = PlantSyntax(
        name: "SQL insertion", type: "application/sql", alphabet: .token, encodings: [.json, .base64]
    ) { plants in
        "INSERT INTO users (id, \(plants.map { quoted($0.name, "\"") }.joined(separator: ", ")))\n"
            + "VALUES (7, \(plants.map { quoted($0.value, "'") }.joined(separator: ", ")));\n"
    }

    private static let update = PlantSyntax(
        name: "SQL update", type: "text/plain", alphabet: .token, encodings: [.json]
    ) { plants in
        "UPDATE users SET " + plants.map { "`\($0.name)` = '\($0.value)'" }.joined(separator: ", ") + " WHERE id = 7;\n"
    }

    private static let serialized = PlantSyntax(
        name: "serialized array in PHP", type: "text/plain", encodings: [.json, .base64, .percent]
    ) { plants in
        "a:\(plants.count):{" + plants.flatMap { [$0.name, $0.value] }.map { "s:\($0.utf8.count):\"\($0)\";" }.joined()
            + "}"
    }

    private static let array = PlantSyntax(name: "array in PHP", type: "text/plain", alphabet: .token) {
        "<?php\n$a = [\n" + $0.map { "    '\($0.name)' => '\($0.value)',\n" }.joined() + "];\n"
    }

    private static let constants = PlantSyntax(name: "constants in PHP", type: "text/plain", alphabet: .token) {
        "<?php\n" + $0.map { "define('\($0.name)', '\($0.value)');\n" }.joined()
    }

    static let statements = [insertion, update, serialized, array, constants]
}
