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
                let pair = line.prefix { $0 != ";" }
                guard let equals = pair.firstIndex(of: "=") else { continue }
                values[origin, default: [:]][String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
        }
    }

    /// Replaces the values of cookies in a request.
    func apply(to request: inout OutgoingRequest, sentTo url: String) {
        guard let known = values[NormalizedURL(url).origin] else { return }
        for index in request.headers.indices where request.headers[index].name.lowercased() == "cookie" {
            let pairs = request.headers[index].value.split(separator: ";").map { pair in
                let pair = pair.drop { $0 == " " }
                let name = String(pair.prefix { $0 != "=" })
                return known[name].map { name + "=" + $0 } ?? String(pair)
            }
            request.headers[index].value = pairs.joined(separator: "; ")
        }
    }
}
