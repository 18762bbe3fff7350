extension String {
    /// The text that a regular expression or a URL template begins with, free of escapes.
    var literalBeginning: String {
        var text = ""
        var isEscaped = false
        for character in self {
            if isEscaped {
                guard !character.isLetter, !character.isNumber else { return text }
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if "[({|^$".contains(character) {
                if !(character == "^" && text.isEmpty) { return text }
            } else if "*+?".contains(character) {
                // The character in front may be there or not.
                return String(text.dropLast())
            } else {
                text.append(character)
            }
        }
        return text
    }
}
