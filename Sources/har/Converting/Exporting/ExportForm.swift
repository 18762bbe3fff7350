import ArgumentParser

/// A form for another tool as it is named on the command line.
struct ExportForm: ExpressibleByArgument {
    /// All forms, in the order in which messages name them.
    static let all: [any ArchiveExporter.Type] = [
        CurlExporter.self, VinylExporter.self, DVRExporter.self, NDJSONExporter.self, MarkdownExporter.self,
        K6Exporter.self, SwiftExporter.self,
    ]

    static var allValueStrings: [String] { all.map { $0.name } }

    /// What writes the form.
    let exporter: any ArchiveExporter.Type

    init?(argument: String) {
        guard let exporter = Self.all.first(where: { $0.name == argument }) else { return nil }
        self.exporter = exporter
    }
}
