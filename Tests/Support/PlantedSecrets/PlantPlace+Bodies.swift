import Foundation
import HTTPArchive

extension PlantPlace {
    /// Returns a body with a text in an encoding.
    private static func body(_ text: String, _ type: String, _ encoding: PlantEncoding) -> (
        type: String, text: String, isBase64: Bool
    ) {
        let encoded = encoding.encode(text)
        return switch encoding {
        case .plain: (type, text, false)
        case .percent, .percentTwice: ("application/x-www-form-urlencoded", "n=1&data=\(encoded)", false)
        case .json, .jsonTwice: ("application/json", encoded, false)
        case .base64, .base64URL: ("application/json", #"{"id":7,"data":"\#(encoded)"}"#, false)
        case .gzip, .zlib, .deflate, .utf16, .utf32: (type, encoded, true)
        case .multipart: ("multipart/form-data; boundary=b0undary", encoded, false)
        case .sse: ("text/event-stream", encoded, false)
        case .xml: ("application/xml", encoded, false)
        }
    }

    private static func place(_ syntax: PlantSyntax, _ encoding: PlantEncoding, _ part: Part) -> PlantPlace {
        PlantPlace(
            name: "\(part == .request ? "postData" : "content"), \(syntax.name)", encoding: encoding,
            alphabet: syntax.alphabet,
            permits: syntax.permits, isExact: syntax.isExact, part: part
        ) { plants in
            .changed { entry in
                let body = body(syntax.text(plants), syntax.type, encoding)
                let coding = encoding.coding.map { [HAR.Header(name: "Content-Encoding", value: $0)] } ?? []
                if part == .request {
                    entry.request.headers = [HAR.Header(name: "Content-Type", value: body.type)] + coding
                    entry.request.postData = HAR.PostData(mimeType: body.type, text: body.text)
                    if body.isBase64 { entry.request.postData?["_encoding"] = "base64" }
                } else {
                    entry.response.headers = coding
                    entry.response.content = HAR.Content(
                        size: nil, mimeType: body.type, text: body.text, encoding: body.isBase64 ? "base64" : nil)
                }
            }
        }
    }

    /// Returns a location in a body that the archive stores in Base64.
    private static func encoded(_ syntax: PlantSyntax, type: String? = nil) -> PlantPlace {
        PlantPlace(
            name: "content in base64\(type.map { " as \($0)" } ?? ""), \(syntax.name)", alphabet: syntax.alphabet,
            permits: syntax.permits, part: .response
        ) { plants in
            .changed {
                $0.response.content = HAR.Content(
                    size: nil, mimeType: type ?? syntax.type,
                    text: Data(syntax.text(plants).utf8).base64EncodedString(),
                    encoding: "base64")
            }
        }
    }

    private static let received: [PlantSyntax] =
        [
            .json, .prettyJSON, .deepJSON, .jsonText, .jsonArrays, .jsonObjects, .jsonPairs, .reversedList, .lines,
            .sequence, .jsonp, .guardedJSON, .urlInJSON, .escapedURLInJSON, .formInJSON, .headersInJSON, .unicodeJSON,
            .script, .literal, .variables, .members, .eventStream, .eventLines, .socketIO, .engineIO, .sockJS, .stomp,
            .multipartParameters, .multipartFields, .batch, .yaml, .assignments, .colons, .quoted, .headerFields, .curl,
            .relativeURL, .absoluteURL, .nestedURL,
        ] + PlantSyntax.jsonLists + PlantSyntax.xmlSyntaxes + PlantSyntax.htmlSyntaxes + PlantSyntax.tables
        + PlantSyntax.statements

    private static let sent: [PlantSyntax] =
        [
            .form, .formWithBrackets, .plainForm, .untypedForm, .json, .deepJSON, .jsonText, .jsonArrays, .jsonPairs,
            .lines,
            .graphQL, .graphQLArguments, .graphQLVariables, .formInJSON, .urlInJSON, .socketIO, .multipart,
            .multipartJSON, .multipartRelated, .batch,
        ] + PlantSyntax.jsonLists.prefix(2) + PlantSyntax.xmlSyntaxes.prefix(4) + PlantSyntax.xmlSyntaxes.suffix(1)

    /// The locations in bodies of requests and responses.
    static let bodies: [PlantPlace] =
        received.flatMap { syntax in ([.plain] + syntax.encodings).map { place(syntax, $0, .response) } }
        + sent.flatMap { syntax in ([.plain] + syntax.encodings).map { place(syntax, $0, .request) } }
        + [
            encoded(.json), encoded(.json, type: "application/octet-stream"), encoded(.form), encoded(.xmlElements),
            encoded(.eventStream), encoded(.lines), encoded(.jsonp), encoded(PlantSyntax.htmlSyntaxes[0]),
            PlantPlace(name: "params", part: .request) { plants in
                .changed {
                    $0.request.postData = HAR.PostData(
                        mimeType: "application/x-www-form-urlencoded",
                        params: plants.map { HAR.Parameter(name: $0.name, value: $0.value) })
                }
            },
            PlantPlace(name: "params, percent-encoded", part: .request) { plants in
                .changed {
                    $0.request.postData = HAR.PostData(
                        mimeType: "application/x-www-form-urlencoded",
                        params: plants.map {
                            HAR.Parameter(name: $0.name.percentEncoded, value: $0.value.percentEncoded)
                        })
                }
            },
            PlantPlace(name: "params, JSON", part: .request) { plants in
                .changed {
                    let meta = HAR.Parameter(
                        name: "meta", value: PlantSyntax.json.text(plants), contentType: "application/json")
                    $0.request.postData = HAR.PostData(mimeType: "multipart/form-data", params: [meta])
                }
            },
            PlantPlace(
                name: "numbers in JSON",
                permits: { $0 == "cvv" || $0.lowercased().contains("otp") || $0.contains("code") },
                hasDecoys: false, hasAmbiguousNames: false, part: .response
            ) { plants in
                .changed {
                    let members = plants.map { plant in
                        "\(plant.name.quotedAsJSON):\(Int(plant.value).map(String.init) ?? plant.value.quotedAsJSON)"
                    }
                    $0.response.content = HAR.Content(
                        size: nil, mimeType: "application/json", text: "{" + members.joined(separator: ",") + "}")
                }
            },
        ]
}
