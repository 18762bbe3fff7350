import HTTPArchive

extension PlantPlace {
    private static func text(
        _ name: String, _ syntax: PlantSyntax, _ encoding: PlantEncoding = .plain,
        _ change: @escaping @Sendable (inout HAR.Entry, String) -> Void
    ) -> PlantPlace {
        PlantPlace(
            name: "\(name), \(syntax.name)", encoding: encoding, alphabet: syntax.alphabet, permits: syntax.permits
        ) { plants in .changed { change(&$0, encoding.encode(syntax.text(plants))) } }
    }

    private static func custom(_ name: String, _ value: @escaping @Sendable ([Plant]) -> JSONValue) -> PlantPlace {
        PlantPlace(name: "custom field, \(name)") { plants in .changed { $0["_data"] = value(plants) } }
    }

    private static func string(_ text: String) -> JSONValue { .string(JSONString(text)) }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members: members.map { JSONObject.Member(name: JSONString($0.0), value: $0.1) }))
    }

    private static let texts: [PlantSyntax] = [
        .json, .form, .relativeURL, .absoluteURL, .assignments, .colons, .headerFields, .curl, .xmlElements, .lines,
        .jsonLists[0],
    ]

    /// The locations in comments, custom fields, WebSocket messages and other fields that tools add.
    static let fields: [PlantPlace] = annotations + encodedTexts + messages + customFields

    private static let annotations: [PlantPlace] =
        texts.flatMap { syntax -> [PlantPlace] in
            [
                text("comment", syntax) { $0["comment"] = string($1) },
                text("custom text", syntax) { $0["_note"] = string($1) },
            ]
        }
        + [PlantSyntax.json, .form, .relativeURL, .assignments].flatMap { syntax -> [PlantPlace] in
            [
                text("comment of the request", syntax) { $0.request["comment"] = string($1) },
                text("comment of the content", syntax) { $0.response.content["comment"] = string($1) },
                text("comment of timings", syntax) { $0.timings["comment"] = string($1) },
                text("_error", syntax) { $0.response["_error"] = string("GET \($1) failed") },
                text("stack in _initiator", syntax) { entry, text in
                    entry["_initiator"] = [
                        "type": "script", "stack": ["callFrames": [["url": string(text), "lineNumber": 7]]],
                    ]
                },
                text("statusText", syntax) { $0.response["statusText"] = string($1) },
            ]
        }

    private static let encodedTexts: [PlantPlace] =
        [PlantSyntax.json, .form, .xmlElements].flatMap { syntax -> [PlantPlace] in
            [PlantEncoding.base64, .base64URL, .percent, .json, .gzip].map { encoding in
                text("custom text", syntax, encoding) { $0["_note"] = string($1) }
            }
        }

    private static let messages: [PlantPlace] =
        [PlantSyntax.json, .socketIO, .sockJS, .stomp, .graphQLVariables, .form, .jsonLists[0], .lines, .xmlElements]
        .flatMap {
            syntax -> [PlantPlace] in
            [PlantEncoding.plain, .base64, .gzip].map { encoding in
                text("message of a WebSocket", syntax, encoding) { entry, text in
                    let data = string(text)
                    entry["_webSocketMessages"] = [
                        ["type": "send", "time": 1, "opcode": encoding == .plain ? 1 : 2, "data": data]
                    ]
                }
            }
        }

    private static let customFields: [PlantPlace] =
        [
            text("event of a stream", .json) { entry, text in
                entry["_eventSourceMessages"] = [
                    ["time": 1, "eventName": "message", "eventId": "7", "data": string(text)]
                ]
            },
            custom("object") { plants in object(plants.map { ($0.name, string($0.value)) }) },
            custom("deep object") { plants in
                ["a": [["b": object(plants.map { ($0.name, string($0.value)) })]]]
            },
            custom("list of name and value") { plants in
                .array(plants.map { ["name": string($0.name), "value": string($0.value)] })
            },
            custom("list of key and value") { plants in
                .array(plants.map { ["key": string($0.name), "n": 1, "value": string($0.value)] })
            },
            custom("list of headers in an object") { plants in
                ["headers": .array(plants.map { ["name": string($0.name), "value": string($0.value)] })]
            },
            custom("pairs") { plants in .array(plants.map { .array([string($0.name), string($0.value)]) }) },
            custom("texts") { plants in .array(plants.map { string("https://b.test/?\(PlantSyntax.query([$0]))") }) },
            PlantPlace(name: "custom member of the entry") { plants in
                .changed { entry in for plant in plants { entry["_" + plant.name] = string(plant.value) } }
            },
            PlantPlace(name: "custom member of the response") { plants in
                .changed { entry in
                    entry.response["_x"] = ["auth": object(plants.map { ($0.name, string($0.value)) })]
                }
            },
        ]
}
