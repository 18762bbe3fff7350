package import Foundation

/// Names and values, of a URL or of a form, as an archive has them beside the text.
package enum RecordedForm {
    /// The media type of a request's body that names none: the session declares it so, and it is compared as a form.
    package static let undeclaredType = "application/x-www-form-urlencoded"

    /// The parameters of a URL in their order, decoded.
    ///
    /// - Parameter url: The URL without its fragment.
    /// - Returns: Names and values; a name without an equals sign has an empty value.
    package static func parameters(ofURL url: Substring) -> [HAR.QueryParameter] {
        items(of: url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()).map {
            HAR.QueryParameter(name: $0.name, value: $0.value)
        }
    }

    /// The fields of a form.
    ///
    /// A file has its name and its media type here; its content stands in the text alone.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: What the request says of them.
    /// - Returns: `nil` for a body that is no form.
    package static func fields(of body: Data, type: MediaType?) -> [HAR.Parameter]? {
        switch type?.essence {
        case "application/x-www-form-urlencoded":
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            return items(of: text.utf8[...]).map { HAR.Parameter(name: $0.name, value: $0.value) }
        case "multipart/form-data":
            return MultipartBody(body, type: type)?.parts.map { part in
                let text = part.fileName == nil ? String(validating: part.content, as: UTF8.self) : nil
                return HAR.Parameter(
                    name: part.name, value: text, fileName: part.fileName, contentType: part.type)
            }
        default: return nil
        }
    }

    /// What stands between ampersands (https://url.spec.whatwg.org/#urlencoded-parsing).
    private static func items(of text: Substring.UTF8View) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return (decoded(name), decoded(item[name.endIndex...].dropFirst()))
        }
    }

    /// The text that an encoded one stands for; where that is no text, it is left as it is.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        let spaced = Substring(text).replacing("+", with: " ")
        return PercentEncoding.validRemoved(from: spaced[...].utf8) ?? String(Substring(text))
    }
}
