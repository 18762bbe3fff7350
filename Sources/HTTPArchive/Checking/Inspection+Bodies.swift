/// The rules for bodies that are there or not.
extension Inspection {
    /// Looks for a request body that is not in the file.
    mutating func checkRequestBody(of request: JSONNode) {
        guard request["postData"] == nil, let size = request["bodySize"], let count = size.int, count > 0
        else { return }
        report(
            .warning, .requestBodyNotCaptured, at: size,
            "`bodySize` is \(count) but there is no `postData`: the body was not captured.")
    }

    /// Checks what a request body consists of.
    mutating func checkText(ofPostData postData: JSONNode) {
        let text = postData["text"]
        let params = postData["params"]
        if text?.isEmptyString == false || params?.elements.isEmpty == false { checkMediaType(of: postData) }
        if let text { checkReplacement(in: text) }
        if let file = postData["_file"] {
            checkFile(file)
        } else if let params, !params.elements.isEmpty, let text, !text.isEmptyString {
            guard !isForm(text, withFields: params, in: postData) else { return }
            report(
                .warning, .paramsAndText, at: params,
                "There are `params` and `text`, and they differ; HAR 1.2 wants one of them. The text counts.")
        } else if params == nil, text == nil {
            report(
                .warning, .requestBodyNotCaptured, at: postData,
                "There are neither `params` nor `text`; HAR 1.2 wants one of them.")
        }
    }

    /// Whether a text is the form that the fields beside it are read from, as browsers write both.
    private func isForm(_ text: JSONNode, withFields params: JSONNode, in postData: JSONNode) -> Bool {
        let type = postData["mimeType"]?.text.flatMap(MediaType.init)?.essence
        let isForm = ["application/x-www-form-urlencoded", "multipart/form-data"].contains(type)
        // What is no text stands in Base64, where fields are not to be seen.
        if isForm, postData["_encoding"]?.text == "base64" { return true }
        let names = params.elements.map { $0["name"]?.text ?? "" }
        switch type {
        case "application/x-www-form-urlencoded":
            return Self.isQuery(
                Substring(text.text ?? ""), of: zip(names, params.elements.map { $0["value"]?.text ?? "" }))
        case "multipart/form-data":
            let text = text.text ?? ""
            return names.allSatisfy { text.contains("name=\"\($0)\"") || text.contains("name=\($0)") }
        default: return false
        }
    }

    /// Looks for a response body that is not in the file, where a client would get one.
    mutating func checkResponseBody(ofEntry entry: JSONNode) {
        guard let response = entry["response"], let content = response["content"], content.kind == .object,
            content["text"]?.isEmptyString ?? true, let status = response["status"]?.int,
            (200...599).contains(status), status != 204, status != 304, entry["request"]?["method"]?.text != "HEAD",
            HAR.Response(fields: JSONObject(node: response)).body == .notCaptured
        else { return }
        let size = content["size"]?.int ?? 0
        let state = size > 0 ? "its `size` is \(size)" : "nothing says that it was empty"
        report(.note, .bodyNotCaptured, at: content, "There is no text, and \(state): the body was not captured.")
    }

    /// Checks that the media type of a body says something.
    mutating func checkMediaType(of body: JSONNode) {
        guard let type = body["mimeType"], let text = type.text, text.isEmpty || text == "x-unknown" else { return }
        let state = text.isEmpty ? "empty" : text.quoted
        report(.note, .unknownMediaType, at: type, "`mimeType` is \(state); HAR 1.2 wants the media type of the body.")
    }

    /// Checks a body that is in a file of its own.
    mutating func checkFile(_ file: JSONNode) {
        guard let path = file.text else { return }
        var depth = 0
        let leaves = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { component in
            if component != "." { depth += component == ".." ? -1 : 1 }
            return depth < 0
        }
        if leaves || path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":") {
            report(.error, .fileOutsideFolder, at: file, "`_file` leaves the folder of the archive; it is not read.")
        } else {
            report(.note, .bodyInFile, at: file, "The body is in a file of its own, which belongs beside the archive.")
        }
    }
}
