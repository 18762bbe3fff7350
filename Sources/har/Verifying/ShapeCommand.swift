import ArchiveShapes
import ArgumentParser
import Foundation
import HTTPArchive

/// `har shape`: the shapes of the endpoints of archives.
struct ShapeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shape",
        abstract: "Show the types of the JSON that endpoints accept and return.",
        discussion: """
            Infers the members, types and formats of the bodies of each endpoint from all of its entries. An endpoint is a \
            method and a path, in which {id} replaces numbers and identifiers. In paths of members, * stands for all \
            elements of an array and all names of a map, and ? marks members that some objects lack.

            text      a list for people
            schema    a JSON Schema document with a definition for each body
            openapi   an OpenAPI 3.1 document
            swift     Swift source code with Codable types, which decode every body

            Example: har shape page.har
            Example: har shape --to openapi --type json page.har > openapi.json
            Example: har shape --to swift --url '*/items/*' page.har > Items.swift
            """)

    @Argument(help: "The archives; - for standard input.")
    var files: [Input]

    @Option(help: "The output format; text by default.")
    var to = Format.text

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    /// An output format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, schema, openapi, swift
    }

    func validate() throws { try files.requireOneStandardInput() }

    func run() throws {
        var shapes = EndpointShapes()
        for file in files {
            let folder = sizes.folder(of: file)
            let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: folder))
            try selection.forEach(readsEntries: true) { facts, _ throws(HARError) in
                shapes.add(try facts.entry, in: folder)
            }
        }
        if shapes.endpoints.isEmpty { conditions.reportNoMatch() }
        if shapes.omittedCount > 0 {
            StandardError.line(
                "har: warning: \(shapes.omittedCount.of("entry", "entries")) omitted, because there are too many endpoints"
            )
        }
        let output = StandardOutput()
        switch to {
        case .text: for line in shapes.lines { try output.line(line.printable) }
        case .schema: try output.write(json: shapes.jsonSchema.data(layout: .pretty) + Data("\n".utf8))
        case .openapi: try output.write(json: shapes.openAPI.data(layout: .pretty) + Data("\n".utf8))
        case .swift: try output.write(Data(shapes.swiftTypes.utf8))
        }
        try output.flush()
    }
}
