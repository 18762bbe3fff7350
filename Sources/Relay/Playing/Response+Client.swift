package import HTTPArchive

extension HAR.Entry {
    /// The same entry, as its client saw it: where it has no URL of its own, that of the request is the one of the response.
    package var asSeenByClient: HAR.Entry {
        var entry = self
        let url = request[HAR.Response.clientURLField]?.text ?? request.url
        if response.clientURL == nil { entry.response.clientURL = url }
        return entry
    }
}

extension HAR.Response {
    /// The field with the URL of a response as its client saw it.
    ///
    /// A session gives its client one answer, whatever redirects led to it, under the URL where these ended. What was
    /// recorded there, and not on the wire, has that URL here. It is given as it is: with this URL and these header
    /// fields, whatever the request was, and as the last answer, whatever its status is.
    static let clientURLField = "_url"

    /// The URL of a response as its client saw it; `nil` for one that was recorded on the wire.
    var clientURL: String? {
        get { self[Self.clientURLField]?.text }
        set { self[Self.clientURLField] = newValue.map { .string(JSONString($0)) } }
    }
}
