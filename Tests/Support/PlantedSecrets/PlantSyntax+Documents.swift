// MARK: XML and HTML

extension PlantSyntax {
    private static func xml(
        _ name: String, _ type: String = "application/xml", _ element: @escaping @Sendable (Plant) -> String
    )
        -> PlantSyntax
    {
        PlantSyntax(name: name, type: type) {
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<request id=\"1\">\n"
                + $0.map { "  \(element($0))\n" }.joined()
                + "</request>\n"
        }
    }

    static let xmlElements = PlantSyntax(
        name: "XML elements", type: "text/xml", encodings: [.json, .base64, .gzip, .percent, .xml, .sse, .utf16]
    ) {
        "<?xml version=\"1.0\"?>\n<login n=\"1\">"
            + $0.map { "<\($0.name)>\($0.value.escapedForXML)</\($0.name)>" }.joined() + "</login>\n"
    }

    static let xmlSyntaxes = [
        xmlElements,
        xml("XML elements with attributes") { "<a:\($0.name) a:n=\"1\">\($0.value.escapedForXML)</a:\($0.name)>" },
        xml("XML attributes") { "<item n=\"1\" \($0.name)=\"\($0.value.escapedForXML)\" m='2'/>" },
        xml("XML attributes in apostrophes") { "<item \($0.name) = '\($0.value.escapedForXML)'></item>" },
        xml("CDATA") { "<\($0.name)><![CDATA[\($0.value)]]></\($0.name)>" },
        xml("XML name and value attributes") { "<property name=\"\($0.name)\" value=\"\($0.value.escapedForXML)\"/>" },
        xml("XML value and name attributes") { "<property value=\"\($0.value.escapedForXML)\" name=\"\($0.name)\"/>" },
        xml("XML key attribute") { "<entry key=\"\($0.name)\">\($0.value.escapedForXML)</entry>" },
        xml("XML-RPC") {
            "<member><name>\($0.name)</name><value><string>\($0.value.escapedForXML)</string></value></member>"
        },
        xml("property list") { "<key>\($0.name)</key><string>\($0.value.escapedForXML)</string>" },
        PlantSyntax(name: "SOAP", type: "application/soap+xml; charset=utf-8") {
            "<soap:Envelope xmlns:soap=\"http://www.w3.org/2003/05/soap-envelope\"><soap:Header><w:Security><w:T>"
                + $0.map { "<w:\($0.name) Type=\"urn:text\">\($0.value.escapedForXML)</w:\($0.name)>" }.joined()
                + "</w:T></w:Security></soap:Header><soap:Body/></soap:Envelope>"
        },
    ]

    private static func html(
        _ name: String, _ alphabet: PlantAlphabet = .any, _ element: @escaping @Sendable (Plant) -> String
    ) -> PlantSyntax {
        PlantSyntax(name: name, type: "text/html; charset=utf-8", alphabet: alphabet) {
            "<!doctype html>\n<html><head><title>Shop</title></head><body><form method=\"post\">\n"
                + $0.map { "\(element($0))\n" }.joined() + "</form></body></html>\n"
        }
    }

    static let htmlSyntaxes = [
        html("hidden inputs") { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value.escapedForXML)\">" },
        html("hidden inputs, value first") {
            "<input value='\($0.value.escapedForXML)' type=hidden id='f' name='\($0.name)' />"
        },
        html("inputs with an identifier") {
            "<INPUT TYPE=\"hidden\" ID=\"\($0.name)\" VALUE=\"\($0.value.escapedForXML)\">"
        },
        html("choices in a list") {
            "<select name=\"\($0.name)\"><option value=\"\($0.value.escapedForXML)\" selected>First</option></select>"
        },
        html("choices without a value") {
            "<SELECT ID='\($0.name)'><OPTION>\($0.value.escapedForXML)</OPTION></SELECT>"
        },
        html("meta tags") { "<meta name=\"\($0.name)\" content=\"\($0.value.escapedForXML)\">" },
        html("meta tags, content first") { "<meta content=\"\($0.value.escapedForXML)\" name=\"\($0.name)\" />" },
        html("data attributes") { "<div data-\($0.name)=\"\($0.value.escapedForXML)\" data-n=\"1\">x</div>" },
        html("links in HTML") { "<a href=\"/next?tab=2&amp;\(query([$0]))\">Next</a>" },
        html("form actions") { "<form action='https://b.test/a?\(query([$0]))'></form>" },
        html("JSON in an attribute") { "<div data-props=\"\("{\(pair($0))}".escapedForXML)\">x</div>" },
        html("JSON script in HTML") { "<script type=\"application/json\">{\"a\":{\(pair($0))}}</script>" },
        html("inline script in HTML") { "<script>window.__STATE__ = {\"a\":{\(pair($0))}};\n</script>" },
        html("inline script with JSON.parse", .token) { "<script>var s = JSON.parse('{\(pair($0))}');</script>" },
        html("object literal in a script") {
            "<script>var c = { n: 1, '\($0.name)': \($0.value.quotedAsJSON) };</script>"
        },
        html("comments in HTML", .token) { "<!-- \($0.name): \($0.value) -->" },
    ]

    private static func pair(_ plant: Plant) -> String { "\(plant.name.quotedAsJSON):\(plant.value.quotedAsJSON)" }
}

// MARK: Scripts, messages and multipart bodies

extension PlantSyntax {
    private static func isIdentifier(_ name: String) -> Bool { !name.contains("-") }

    static let script = PlantSyntax(name: "script with an object", type: "text/javascript") {
        "window.__INITIAL_STATE__ = " + json.text($0) + ";\n(function () { start(); })();\n"
    }

    static let literal = PlantSyntax(
        name: "script with an object literal", type: "text/javascript", permits: isIdentifier
    ) {
        "var config = { debug: false, " + $0.map { "\($0.name): \($0.value.quotedAsJSON)" }.joined(separator: ", ")
            + " };"
    }

    static let variables = PlantSyntax(
        name: "script with variables", type: "text/javascript", alphabet: .token, permits: isIdentifier
    ) { $0.map { "const \($0.name) = '\($0.value)';\n" }.joined() }

    static let members = PlantSyntax(
        name: "script with assignments to members", type: "text/javascript", alphabet: .token, permits: isIdentifier
    ) { $0.map { "config.\($0.name) = \"\($0.value)\";\n" }.joined() }

    static let eventStream = PlantSyntax(name: "SSE", type: "text/event-stream") {
        $0.map { "event: message\ndata: {\"n\":1,\(pair($0))}\n\n" }.joined()
    }

    static let eventLines = PlantSyntax(name: "SSE with several lines", type: "text/event-stream") {
        "id: 4\ndata: {\ndata:   \"n\": 1,\n" + $0.map { "data:   \(pair($0))" }.joined(separator: ",\n")
            + "\ndata: }\n\n"
    }

    static let socketIO = PlantSyntax(name: "socket.io", type: "text/plain;charset=UTF-8", encodings: [.json]) {
        "42/chat,17[\"login\",{" + $0.map(pair).joined(separator: ",") + "}]"
    }

    static let engineIO = PlantSyntax(name: "engine.io payload", type: "text/plain", isExact: false) {
        let first = "0{" + $0.map(pair).joined(separator: ",") + "}"
        return "\(first.utf16.count):\(first)2:40\u{1E}42[\"x\",{\"n\":1}]"
    }

    static let sockJS = PlantSyntax(name: "SockJS", type: "application/javascript") {
        "a[" + "{\($0.map(pair).joined(separator: ","))}".quotedAsJSON + "]\n"
    }

    static let stomp = PlantSyntax(name: "STOMP", type: "text/plain", alphabet: .token) {
        "CONNECT\naccept-version:1.2\n" + $0.map { "\($0.name):\($0.value)\n" }.joined() + "\n\u{0}"
    }

    static let multipart = PlantSyntax(
        name: "multipart parts", type: "multipart/form-data; boundary=\"----b7\"", encodings: [.gzip]
    ) {
        $0.map { "------b7\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }.joined()
            + "------b7--\r\n"
    }

    static let multipartParameters = PlantSyntax(
        name: "multipart parameters", type: "multipart/mixed; boundary=b7", alphabet: .token
    ) {
        $0.map { "--b7\r\nContent-Type: text/plain; \($0.name)=\"\($0.value)\"\r\n\r\nx\r\n" }.joined() + "--b7--\r\n"
    }

    static let multipartFields = PlantSyntax(
        name: "header fields of parts", type: "multipart/mixed; boundary=b7", alphabet: .token
    ) { $0.map { "--b7\r\nContent-Type: text/plain\r\n\($0.name): \($0.value)\r\n\r\nx\r\n" }.joined() + "--b7--\r\n" }

    static let multipartJSON = PlantSyntax(name: "JSON in a part", type: "multipart/form-data; boundary=b7") {
        "--b7\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n\(json.text($0))"
            + "\r\n--b7--\r\n"
    }

    static let batch = PlantSyntax(name: "requests in parts", type: "multipart/mixed; boundary=b7", alphabet: .token) {
        "--b7\r\nContent-Type: application/http\r\n\r\n\(headerFields.text($0))\r\n--b7--\r\n"
    }

    static let multipartRelated = PlantSyntax(name: "form in a part", type: "multipart/form-data; boundary=b7") {
        "--b7\r\nContent-Disposition: form-data; name=\"inner\"\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
            + "\(query($0))\r\n--b7--\r\n"
    }
}
