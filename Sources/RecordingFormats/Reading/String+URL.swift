extension String {
    /// The text as a name or a value of a URL's query (RFC 3986, section 2.1,
    /// https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
    var urlEncoded: String {
        utf8.reduce(into: "") { result, byte in
            switch Character(Unicode.Scalar(byte)) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
