import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// The request as a `curl` command, without cookies but with the `Authorization` header field.
    ///
    /// A body is included only if it is set as data, not as a stream.
    public var curl: String { curl(maskingSecrets: false) }

    /// The command ``curl``, with its output piped through a JSON formatter.
    public var jsonCurl: String { curl.isEmpty ? "" : "\(curl) | python3 -m json.tool" }

    /// Returns the command ``curl``, optionally with masked secrets.
    ///
    /// If secrets are masked with `•••`, the command can be logged but not run.
    public func curl(maskingSecrets: Bool) -> String {
        guard url != nil else { return "" }
        var request = self
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        return InterceptedRequest(request, body: httpBody).curlCommand(maskingSecrets: maskingSecrets)
    }
}
