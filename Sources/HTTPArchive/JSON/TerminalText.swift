extension Unicode.Scalar {
    /// Whether the character could control a terminal because it is unprintable.
    ///
    /// Line feeds and tabs are excluded.
    package var controlsTerminal: Bool { isUnprintable && self != "\n" && self != "\t" }

    /// Whether the character moves the cursor, ends the line or changes the direction of the text.
    package var isUnprintable: Bool {
        // Looking up the category takes long, so that frequent characters are distinguished by their numbers.
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0xAD: return true
        case 0..<0x600, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x3041...0xD7A3: return false
        default: break
        }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The JSON text with terminal control characters escaped.
    ///
    /// In valid JSON, such characters occur only in strings.
    package var escapingControls: String {
        if !unicodeScalars.contains(where: \.controlsTerminal) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.controlsTerminal {
                for unit in String(scalar).utf16 {
                    text += "\\u" + String(decoding: JSONText.hexadecimal(unit), as: UTF8.self)
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
