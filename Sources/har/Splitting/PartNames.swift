/// Makes names of files out of what stands in an archive, which nobody needs to trust.
///
/// A name has letters, digits, hyphens and dots of ASCII, does not begin with a dot, and is told from others without
/// regard to upper and lower case.
struct PartNames {
    private static let lengthLimit = 100

    private let width: Int
    private var taken: Set<String> = []

    /// Begins.
    ///
    /// - Parameter count: The number of parts.
    init(count: Int) {
        width = String(count).count
    }

    /// The name of the next part.
    mutating func name(of part: Part, number: Int) -> String {
        let name =
            switch part.key {
            case .host(let host): Self.safe(host ?? "no-host")
            case .page(let id): Self.safe(id ?? "no-page")
            case nil: String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
            }
        var unused = name
        var next = 2
        while !taken.insert(unused.lowercased()).inserted {
            unused = "\(name)-\(next)"
            next += 1
        }
        return unused
    }

    private static func safe(_ text: String) -> String {
        var name = ""
        for character in text {
            let isSafe = character.isASCII && (character.isLetter || character.isNumber || "-.".contains(character))
            if isSafe, !(name.isEmpty && character == ".") {
                name.append(character)
            } else if name.last != "_" {
                name.append("_")
            }
            if name.count == lengthLimit { break }
        }
        return name.isEmpty ? "_" : name
    }
}
