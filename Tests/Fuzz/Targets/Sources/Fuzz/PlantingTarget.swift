import Foundation

@testable import HTTPArchive

/// Names of secrets in several notations.
private let names = [
    "password", "user_pass", "X-Api-Key", "refreshToken", "client-secret", "otp", "recoveryCode", "sessionId",
    "access_token", "DB_PASSWORD",
]

private let redactor: HARRedactor = {
    var configuration = HARRedactor.Configuration()
    configuration.key = .init(phrase: "a key of the fuzz targets")
    guard let redactor = try? HARRedactor(configuration) else { fail("The default settings are rejected.") }
    return redactor
}()

/// Plants a secret in the text of the document, and redacts an entry with this text.
///
/// The choices select the name, the length of the secret, the syntax, the encoding and the part of the entry.
func checkPlanting(_ input: Input) {
    let name = names[input.choice(0, of: names.count)]
    let secret = "Zq7x" + String("pL4nT3dVaLuE0fThEsEcReT".prefix(4 + input.choice(1, of: 20)))
    // The document must not contain the secret or placeholders, and must be text that all syntaxes can represent.
    let noise = String(decoding: input.document.prefix(2000), as: UTF8.self)
    guard !noise.contains("Zq7x"), !noise.contains("REDACTED") else { return }
    let text = encoded(planted(name, secret, noise, input.choice(2, of: 6)), input.choice(3, of: 5))
    let entry = entry(text, in: input.choice(4, of: 5))
    let redacted = redactor.redacted(entry)
    let written = JSONValue.object(redacted.fields).data()
    guard (try? JSONValue(parsing: written)) != nil else { fail("The redacted entry is not JSON.") }
    if let left = forms(of: secret).first(where: { written.range(of: Data($0.utf8)) != nil }) {
        fail("\(left) remains in \(String(decoding: written, as: UTF8.self))")
    }
    expectEqual(redactor.redacted(redacted).fields, redacted.fields, "Redacted twice")
}

private func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(JSONString(text)).data(layout: .compact), as: UTF8.self)
}

private func percentEncoded(_ text: String) -> String {
    String(decoding: DecodedText.percentEncoded(Array(text.utf8)), as: UTF8.self)
}

private func escapedForXML(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
}

/// Returns arbitrary text followed by the name and the secret.
private func planted(_ name: String, _ secret: String, _ noise: String, _ syntax: Int) -> String {
    switch syntax {
    case 0: "{\"noise\":\(quoted(noise)),\(quoted(name)):\(quoted(secret)),\"n\":1}"
    case 1: "[{\"name\":\"noise\",\"value\":\(quoted(noise))},{\"name\":\(quoted(name)),\"value\":\(quoted(secret))}]"
    case 2: "noise=\(percentEncoded(noise))&\(name)=\(secret)&n=1"
    case 3: "/next?noise=\(percentEncoded(noise))&\(name)=\(secret)"
    case 4: "<a><noise>\(escapedForXML(noise))</noise><\(name)>\(secret)</\(name)></a>"
    default: "callback({\"noise\":\(quoted(noise)),\(quoted(name)):\(quoted(secret))});"
    }
}

private func encoded(_ text: String, _ encoding: Int) -> String {
    switch encoding {
    case 0: text
    case 1: "{\"data\":\(quoted(text))}"
    case 2: "{\"data\":\"\(Data(text.utf8).base64EncodedString())\"}"
    case 3: "n=1&data=\(percentEncoded(text))"
    default: "n=1&data=\(percentEncoded(percentEncoded(text)))"
    }
}

/// Returns an entry with the text in one of its parts.
private func entry(_ text: String, in part: Int) -> HAR.Entry {
    var entry = HAR.Entry(
        startedDateTime: "2026-01-01T12:00:00.000Z", request: HAR.Request(method: "POST", url: "https://a.test/"),
        response: HAR.Response(status: 200, content: HAR.Content(size: nil, mimeType: "")))
    switch part {
    case 0: entry.response.content.text = text
    case 1: entry.request.postData = HAR.PostData(mimeType: "", text: text)
    case 2: entry.request.url = "https://a.test/?page=\(percentEncoded(text))"
    case 3: entry["comment"] = .string(JSONString(text))
    default: entry["_webSocketMessages"] = [["type": "send", "opcode": 1, "data": .string(JSONString(text))]]
    }
    return entry
}

/// Returns the secret as plain text and in Base64 at each alignment.
private func forms(of secret: String) -> [String] {
    [secret]
        + (0..<3).map { shift in
            let text = Data(repeating: 0x20, count: shift) + Data(secret.utf8)
            let first = shift == 0 ? 0 : shift + 1
            return String(text.base64EncodedString().dropFirst(first).prefix(text.count / 3 * 4 - first))
        }
}
