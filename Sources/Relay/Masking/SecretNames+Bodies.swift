import Foundation
import HTTPArchive

extension SecretNames {
    /// A body without the values of JSON members and of form fields that are secrets.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of `Content-Type`; without one, the body's first character tells JSON from a form.
    /// - Returns: The body with all else as it was. A body that is neither JSON nor a form stays.
    /// - Complexity: O(*n*) in the size of the body.
    static func masked(body: Data, type: String?) -> Data {
        let type = type.flatMap { MediaType($0) }
        if type?.essence == "multipart/form-data", let boundary = type?.parameters["boundary"], !boundary.isEmpty {
            return masked(multipart: body, boundary: boundary)
        }
        guard let text = String(validating: body, as: UTF8.self) else { return body }
        let start = text.utf8.first { $0 > 0x20 }
        if type?.essence.contains("json") == true || start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
            return Data(masked(json: text).utf8)
        }
        let isForm = type.map { $0.essence == "application/x-www-form-urlencoded" } ?? true
        return isForm ? Data(masked(form: text[...]).utf8) : body
    }

    /// A form of several parts (RFC 7578, https://www.rfc-editor.org/rfc/rfc7578).
    private static func masked(multipart body: Data, boundary: String) -> Data {
        var masked = Data()
        var rest = body[...]
        let delimiter = Data("--\(boundary)".utf8)
        while !rest.isEmpty {
            let next = rest.dropFirst(delimiter.count).range(of: delimiter)?.lowerBound ?? rest.endIndex
            masked += Self.masked(part: rest[..<next])
            rest = rest[next...]
        }
        return masked
    }

    /// One part with the boundary before it.
    private static func masked(part: Data) -> Data {
        for (line, end) in [("\r\n", "\r\n\r\n"), ("\n", "\n\n")] {
            guard let head = part.range(of: Data(end.utf8)) else { continue }
            let fields = String(decoding: part[..<head.lowerBound], as: UTF8.self)
            for field in fields.components(separatedBy: line) {
                guard let colon = field.firstIndex(of: ":"), field[..<colon].lowercased() == "content-disposition",
                    // Its parameters are written as those of a media type are.
                    let name = MediaType("multipart/" + field[colon...].dropFirst().drop { $0 == " " })?.parameters[
                        "name"],
                    isSecret(name)
                else { continue }
                return part[..<head.upperBound] + Data((mask + line).utf8)
            }
            return part
        }
        return part
    }
}
