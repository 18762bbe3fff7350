import Foundation

extension URL {
    /// Reads a URL as archives have it: with characters in it that a URL may not have.
    ///
    /// These are percent-encoded, as a browser does before it sends them; what is encoded already stays. Foundation by
    /// itself would encode the percent signs of such a URL once more. `nil` when the text is no URL all the same.
    ///
    /// - Parameter text: The text; white space around it means nothing.
    init?(archived text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let authority = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let path = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        var result = String(text[..<path])
        var rest = text.utf8[path...]
        var hasFragment = false
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "%") && rest.prefix(2).count(where: \.isHexDigit) == 2
            let isFirstHash = byte == UInt8(ascii: "#") && !hasFragment
            if isFirstHash { hasFragment = true }
            if isEscape || isFirstHash || byte.isAllowedInURL {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        self.init(string: result)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }

    /// Whether paths and queries can have the byte (https://www.rfc-editor.org/rfc/rfc3986#section-3.4).
    fileprivate var isAllowedInURL: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "-._~!$&'()*+,;=:@/?".utf8.contains(self)
        }
    }
}
