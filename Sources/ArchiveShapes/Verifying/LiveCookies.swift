import HTTPArchive

/// The cookies that servers have set, which replace the recorded cookies with the same names.
struct LiveCookies {
    /// The values by server and name.
    private var values: [String: [String: String]] = [:]

    /// Stores the cookies of a response.
    mutating func store(_ response: HAR.Response, of url: String) {
        let origin = NormalizedURL(url).origin
        for header in response.headers where header.name.lowercased() == "set-cookie" {
            for line in header.value.split(separator: "\n") {
                let pair = CookieText(line.prefix { $0 != ";" })
                if let name = pair.name { values[origin, default: [:]][String(Substring(name))] = pair.text }
            }
        }
    }

    /// Replaces the values of cookies in a request.
    func apply(to request: inout OutgoingRequest, sentTo url: String) {
        guard let known = values[NormalizedURL(url).origin] else { return }
        request.mapCookies { name, value in known[name] ?? value }
    }
}
