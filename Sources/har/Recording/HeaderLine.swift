import ArgumentParser

/// A header field as curl takes it: `Name: value`, `Name;` for one without a value, `Name:` for none.
struct HeaderLine: ExpressibleByArgument {
    /// What a name may have besides letters and digits.
    ///
    /// RFC 9110, section 5.6.2: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
    private static let marks = Set("!#$%&'*+-.^_`|~")

    /// The name.
    let name: String

    /// The value; `nil` for a field that is not to be sent.
    let value: String?

    init?(argument: String) {
        guard let mark = argument.firstIndex(where: { ":;".contains($0) }) else { return nil }
        let name = argument[..<mark]
        let rest = argument[argument.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || Self.marks.contains($0) }
        guard !name.isEmpty, isName, !rest.contains(where: \.isNewline) else { return nil }
        if argument[mark] == ";", !rest.isEmpty { return nil }
        self.name = String(name)
        value = argument[mark] == ";" ? "" : rest.isEmpty ? nil : String(rest)
    }
}
