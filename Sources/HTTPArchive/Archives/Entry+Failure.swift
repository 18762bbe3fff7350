extension HAR.Entry {
    /// Why the request was not answered, in the words of the tool that recorded it; `nil` when it was answered.
    ///
    /// HAR has no field for it: browsers write `_error`, Playwright `_failureText`, and others a status of 0 alone.
    public var failure: String? {
        let response = response
        let fields = [response["_error"], self["_error"], response["_failureText"]]
        let text = fields.lazy.compactMap { $0?.text }.first { !$0.isEmpty }
        // Browsers call a navigation aborted that 204 answered: nothing of the answer is missing.
        if [204, 205, 304].contains(response.status) { return nil }
        return text ?? (response.status <= 0 ? "status \(response.status)" : nil)
    }
}
