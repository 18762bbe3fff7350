import RelayCore
#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLRequest {
        /// The request with which FoundationNetworking follows a redirect of this one: recording changes nothing in that.
        ///
        /// It is not that of RFC 9110: after 303 every method becomes GET, header fields and credentials stay, and a place
        /// without a host begins at the root.
        ///
        /// - Parameters:
        ///   - status: The status of the answer.
        ///   - location: Where it leads, as the library has read it.
        /// - Returns: The request; `nil` where the library takes the answer for the last one.
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
            guard let url, var place = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
            if let host = target.host {
                place.host = host
                place.port = target.port
            }
            place.path = target.path.hasPrefix("/") ? target.path : "/" + target.path
            place.percentEncodedQuery = target.query
            place.percentEncodedFragment = target.fragment
            guard let resolved = place.url else { return nil }
            next.url = resolved
            return next
        }
    }
#endif
