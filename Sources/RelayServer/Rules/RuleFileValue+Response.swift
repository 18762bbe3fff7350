#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    extension RuleFileValue {
        private static let replyKeys =
            ["status", "statusText", "headers", "redirect", "failure", "delay", "bytesPerSecond", "cutOff"] + bodyKeys

        /// The keys of a body.
        ///
        /// A response has at most one of them.
        static let bodyKeys = ["json", "text", "base64", "file"]

        /// Returns the responses of a stub, in order.
        func replies() throws(RelayError) -> [Reply] {
            let replies = try elements.map { element throws(RelayError) in try element.reply() }
            guard !replies.isEmpty else { throw mismatch("at least one response") }
            return replies
        }

        private func reply() throws(RelayError) -> Reply {
            let members = try members(among: Self.replyKeys, "a response")
            var response = InterceptedResponse(url: "", headers: [])
            var failure: URLError.Code?
            var pace = Pace()
            var cutOff: Int?
            try checkBodies(members.map(\.key))
            for (key, value) in members {
                switch key {
                case "status": response.status = try value.status()
                case "statusText": response.statusText = try value.text("a reason phrase")
                case "headers": response.headers = try value.fields()
                case "redirect":
                    response.headers.append(HeaderField(name: "Location", value: try value.text("a URL")))
                    if !members.contains(where: { $0.key == "status" }) { response.status = 302 }
                case "failure": failure = try value.failure()
                case "delay": pace.delay = try value.duration()
                case "bytesPerSecond": pace.bytesPerSecond = try value.number(1...Int.max, "a positive number")
                case "cutOff": cutOff = try value.number(0...Int.max, "a number of bytes")
                default: response.body = try value.body(key).data
                }
            }
            if let body = members.first(where: { Self.bodyKeys.contains($0.key) }) {
                let type = try body.value.body(body.key).type
                let isSet = response.headers.contains { $0.name.lowercased() == "content-type" }
                if let type, !isSet { response.headers.append(HeaderField(name: "Content-Type", value: type)) }
            }
            if let failure { return Reply(Reply.failure(failure).result, pace: pace) }
            return Reply(.success(response), pace: pace, cutOff: cutOff)
        }

        /// Throws if there is more than one body.
        func checkBodies(_ keys: [String]) throws(RelayError) {
            let bodies = keys.filter(Self.bodyKeys.contains)
            guard bodies.count <= 1 else {
                throw error("A response has only one body. Set only one of \(bodies.joined(separator: ", ")).")
            }
        }

        /// Returns a final status code.
        func status() throws(RelayError) -> Int { try number(200...999, "a status from 200 to 999") }

        /// Returns header fields from a mapping of names to one or several values.
        func fields() throws(RelayError) -> [HeaderField] {
            var fields: [HeaderField] = []
            for (name, value) in try members("a mapping of names and values") {
                try value.checkFieldName(name)
                for element in value.elements {
                    fields.append(HeaderField(name: name, value: try element.text("the value of a field")))
                }
            }
            return fields
        }

        /// Throws if a name cannot be the name of a header field.
        func checkFieldName(_ name: String) throws(RelayError) {
            guard FieldSyntax.isToken(name) else { throw error("\(title) is not the name of a header field.") }
        }

        /// Returns the bytes and media type of a body.
        ///
        /// - Parameter key: The key of the body.
        /// - Returns: The bytes, and the media type if the key determines it.
        /// - Throws: `invalidRule`.
        func body(_ key: String) throws(RelayError) -> (data: Data, type: String?) {
            switch key {
            case "json": return (json.data(), "application/json")
            case "text": return (Data(try text("text").utf8), "text/plain; charset=utf-8")
            case "base64":
                guard let data = Data(base64Encoded: try text("Base64"), options: .ignoreUnknownCharacters) else {
                    throw mismatch("Base64")
                }
                return (data, nil)
            default:
                let (name, folder) = (try text("a path"), file.url.deletingLastPathComponent())
                do {
                    return file.allowsAnyBodyFile
                        ? (try Data(contentsOf: URL(fileURLWithPath: name, relativeTo: folder)), nil)
                        : (try HAR.BodyFolder(folder).read(name), nil)
                } catch {
                    let rule =
                        file.allowsAnyBodyFile
                        ? "Check the path."
                        : """
                        It must be a file in the folder of the rule file or its subfolders, and neither hidden nor a \
                        symbolic link. To allow any file, use --any-body-file.
                        """
                    throw self.error(
                        "The body file '\(MessageText.printable(name))' cannot be read. \(rule)", because: error)
                }
            }
        }

        /// Returns the code of a network error.
        func failure() throws(RelayError) -> URLError.Code {
            let codes: [String: URLError.Code] = [
                "timedOut": .timedOut, "networkConnectionLost": .networkConnectionLost,
                "cannotConnectToHost": .cannotConnectToHost, "cannotFindHost": .cannotFindHost,
                "notConnectedToInternet": .notConnectedToInternet, "secureConnectionFailed": .secureConnectionFailed,
                "badServerResponse": .badServerResponse,
            ]
            let expected = "a failure (\(codes.keys.sorted().joined(separator: ", ")))"
            guard let code = codes[try text(expected)] else { throw mismatch(expected) }
            return code
        }
    }
#endif
