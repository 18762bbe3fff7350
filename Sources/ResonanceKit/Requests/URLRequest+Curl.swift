import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The request as a command for a terminal; without cookies, with `Authorization`, and with a body that is data.
    public var curl: String { curl(maskingSecrets: false) }

    /// The command ``curl``, with the JSON that comes back laid out for reading.
    public var jsonCurl: String { curl.isEmpty ? "" : "\(curl) | python3 -m json.tool" }

    /// The command ``curl``; with secrets masked by `•••` it is fit to be logged, and not to be run.
    public func curl(maskingSecrets: Bool) -> String {
        guard url != nil else { return "" }
        var request = self
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return InterceptedRequest(request, body: httpBody).curlCommand(maskingSecrets: maskingSecrets)
    }
}
