import HTTPArchive
extension EndpointShapes {
    /// Swift source code with a `Codable` type for the JSON bodies of each endpoint, which decodes every body that was
    /// added.
    ///
    /// Members that some objects lack, or that can be null, are optional. Values of several types, and values of unknown
    /// type, have the type `JSON`, which the code declares. Redacted values have this type, too.
    public var swiftTypes: String {
        var writer = SwiftTypeWriter()
        var names = UniqueNames(reserved: ["JSON"])
        for body in jsonBodies { writer.declare(names.name(for: body.name), body.shape, body.title) }
        return writer.text
    }
}

/// A writer of Swift types for shapes.
private struct SwiftTypeWriter {
    private var lines = ["import Foundation", ""]
    private var usesJSON = false

    /// Declares a type for a document.
    mutating func declare(_ name: String, _ shape: Shape, _ comment: String) {
        lines.append("/// " + String(comment.unicodeScalars.map { $0.isUnprintable ? " " : Character($0) }))
        if let objects = shape.objects, shape.kinds == [.object], shape.placeholderCount == 0, objects.mapValue == nil {
            declareStruct(name, objects, indent: "")
        } else {
            var nested = UniqueNames(reserved: [name])
            let element = nested.name(for: name + "Element")
            let type = self.type(of: shape, named: element)
            lines.append("typealias \(name) = \(type.name)")
            if let objects = type.objects { declareStruct(element, objects, indent: "") }
        }
        lines.append("")
    }

    /// Returns the name of a type for a shape, and the objects that a struct with the given name must describe.
    private mutating func type(of shape: Shape, named name: String) -> (name: String, objects: Shape.Members?) {
        let kinds = shape.kinds.filter { $0 != .null }
        let suffix = shape.nullCount > 0 ? "?" : ""
        guard kinds.count == 1, shape.placeholderCount == 0 else {
            usesJSON = true
            return ("JSON" + suffix, nil)
        }
        switch kinds[0] {
        case .null, .boolean: return ("Bool" + suffix, nil)
        case .number:
            let isInt = shape.hasOnlyIntegers && shape.numbers.largeCount == 0
            return ((isInt ? "Int" : "Double") + suffix, nil)
        case .string: return ("String" + suffix, nil)
        case .array:
            let element = type(of: shape.element, named: name)
            return ("[\(element.name)]" + suffix, element.objects)
        case .object:
            guard let objects = shape.objects else { return ("JSON" + suffix, nil) }
            guard let value = objects.mapValue else { return (name + suffix, objects) }
            let type = type(of: value, named: name)
            return ("[String: \(type.name)]" + suffix, type.objects)
        }
    }

    private mutating func declareStruct(_ name: String, _ objects: Shape.Members, indent: String) {
        lines.append("\(indent)struct \(name): Codable, Sendable {")
        var properties = UniqueNames()
        var types = UniqueNames(reserved: ["JSON", "CodingKeys"])
        var nested: [(name: String, objects: Shape.Members)] = []
        var keys: [String] = []
        let inner = indent + "    "
        for member in objects.all {
            let property = properties.name(for: TypeName.property(for: member.name))
            let candidate = TypeName.type(for: member.name)
            var type = self.type(of: member.shape, named: candidate)
            if let described = type.objects {
                let unique = types.name(for: candidate)
                if unique != candidate { type = self.type(of: member.shape, named: unique) }
                nested.append((unique, described))
            }
            let isOptional = !objects.requires(member) && !type.name.hasSuffix("?")
            lines.append("\(inner)var \(property): \(type.name)\(isOptional ? "?" : "")")
            keys.append("case \(property) = \(Self.literal(member.name))")
        }
        if !keys.isEmpty {
            lines += ["", "\(inner)enum CodingKeys: String, CodingKey {"]
            lines += keys.map { inner + "    " + $0 }
            lines.append("\(inner)}")
        }
        for (name, objects) in nested {
            lines.append("")
            declareStruct(name, objects, indent: inner)
        }
        lines.append("\(indent)}")
    }

    private static func literal(_ text: String) -> String {
        var literal = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case _ where scalar.isUnprintable:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return "\"\(literal)\""
    }

    /// The source code.
    var text: String {
        let declarations = usesJSON ? lines + Self.jsonDeclaration : lines
        return declarations.joined(separator: "\n") + (usesJSON ? "\n" : "")
    }

    private static let jsonDeclaration = [
        "/// Any JSON value.",
        "enum JSON: Codable, Sendable {",
        "    case null, bool(Bool), number(Double), string(String), array([JSON]), object([String: JSON])",
        "",
        "    init(from decoder: any Decoder) throws {",
        "        let container = try decoder.singleValueContainer()",
        "        if container.decodeNil() {",
        "            self = .null",
        "        } else if let value = try? container.decode(Bool.self) {",
        "            self = .bool(value)",
        "        } else if let value = try? container.decode(Double.self) {",
        "            self = .number(value)",
        "        } else if let value = try? container.decode(String.self) {",
        "            self = .string(value)",
        "        } else if let value = try? container.decode([JSON].self) {",
        "            self = .array(value)",
        "        } else {",
        "            self = .object(try container.decode([String: JSON].self))",
        "        }",
        "    }",
        "",
        "    func encode(to encoder: any Encoder) throws {",
        "        var container = encoder.singleValueContainer()",
        "        switch self {",
        "        case .null: try container.encodeNil()",
        "        case .bool(let value): try container.encode(value)",
        "        case .number(let value): try container.encode(value)",
        "        case .string(let value): try container.encode(value)",
        "        case .array(let value): try container.encode(value)",
        "        case .object(let value): try container.encode(value)",
        "        }",
        "    }",
        "}",
    ]
}
