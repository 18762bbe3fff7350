import FoundationInternals
import RelayCore

extension InterceptingProtocol {
    /// Makes `URLSession.shared` query this class for every request, before the platform's own classes.
    ///
    /// If this is impossible, all requests without an interceptor fail from then on.
    package class func insertIntoSharedSession() {
        guard let missing = Internals.session.insertIntoSharedSession(self) else { return }
        NetworkPolicy.refuseRequests(with: RelayError("Requests in `URLSession.shared`", without: [missing]))
    }

    /// Undoes one call to ``insertIntoSharedSession()``.
    package class func removeFromSharedSession() { Internals.session.removeFromSharedSession(self) }
}
