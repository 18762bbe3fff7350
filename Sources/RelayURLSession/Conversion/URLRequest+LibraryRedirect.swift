import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// Returns the request with which FoundationNetworking follows a redirect, so that recording does not change
        /// it.
        ///
        /// It differs from RFC 9110: after 303, every method becomes GET, header fields and credentials are kept, and a
        /// location without a host is resolved against the root.
        ///
        /// - Parameters:
        ///   - status: The status of the response.
        ///   - location: The location as the library has parsed it.
        /// - Returns: The request, or nil if the library treats the response as final.
        func followedByLibrary(status: Int, location: String) -> URLRequest? {
            guard let target = URL(string: location) else { return nil }
            var next = self
            switch status {
            case 303,
                301...302 where httpMethod == "POST":
                next.httpMethod = "GET"
                next.httpBody = nil
            case 301...302, 305...308: break
            default: return nil
            }
            guard target.scheme == nil || target.host == nil else {
                next.url = target
                return next
            }
            guard let url, var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
            if let host = target.host {
                components.host = host
                components.port = target.port
            }
            components.path = target.path.hasPrefix("/") ? target.path : "/" + target.path
            components.percentEncodedQuery = target.query
            components.percentEncodedFragment = target.fragment
            guard let resolved = components.url else { return nil }
            next.url = resolved
            return next
        }
    }
#endif
