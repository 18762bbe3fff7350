/// The rules for how an exchange ended.
extension Inspection {
    /// Says so when there was no response.
    mutating func checkOutcome(ofEntry entry: JSONNode) {
        guard let response = entry["response"], let status = response["status"], let code = status.int,
            code == 0 || code == -1
        else { return }
        let reason = response["_error"]?.text ?? response["_failureText"]?.text ?? entry["_error"]?.text ?? ""
        report(
            .note, .failedRequest, at: status,
            "The request failed\(reason.isEmpty ? "" : " with \(reason.quoted)"): there was no response.")
    }

    /// Checks that a redirect says where to.
    mutating func checkRedirect(of response: JSONNode) {
        guard [301, 302, 303, 307, 308].contains(response["status"]?.int), let target = response["redirectURL"],
            target.text == ""
        else { return }
        let hasLocation = response["headers"]?.elements.contains { $0["name"]?.text?.lowercased() == "location" }
        report(
            .note, .missingRedirectURL, at: target,
            hasLocation == true
                ? "`redirectURL` is empty though there is a `Location`, which counts then."
                : "`redirectURL` is empty and there is no `Location`: the redirect cannot be followed.")
    }

    /// Says so when an entry is a WebSocket, of which only the opening is an exchange over HTTP.
    mutating func checkWebSocket(ofEntry entry: JSONNode) {
        let scheme = entry["request"]?["url"]?.text?.prefix { $0 != ":" }.lowercased()
        guard
            scheme == "ws" || scheme == "wss" || entry["_webSocketMessages"] != nil
                || entry["_resourceType"]?.text == "websocket"
        else { return }
        let count = entry["_webSocketMessages"].map { " (\($0.elements.count) of them)" } ?? ""
        report(.note, .webSocket, at: entry, "The entry is a WebSocket; its messages\(count) are not replayed.")
    }
}
