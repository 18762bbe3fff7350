import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The request as a `curl` command, without cookies and with `Authorization`.
    ///
    /// A body is included only if it is data, not a stream.
    public var curl: String { curl(maskingSecrets: false) }

    /// The command ``curl``, piped through a formatter of the JSON response.
    public var jsonCurl: String { curl.isEmpty ? "" : "\(curl) | python3 -m json.tool" }

    /// Returns the command ``curl``.
    ///
    /// With secrets masked by `•••`, it can be logged but not run.
    public func curl(maskingSecrets: Bool) -> String {
        guard url != nil else { return "" }
        var request = self
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return InterceptedRequest(request, body: httpBody).curlCommand(maskingSecrets: maskingSecrets)
    }
}
