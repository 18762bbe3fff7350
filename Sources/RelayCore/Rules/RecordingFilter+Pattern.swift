extension RecordingFilter {
    /// Returns a filter that records only requests that match a pattern.
    ///
    /// - Parameter pattern: The requests to record.
    /// - Returns: The filter.
    public static func keep(_ pattern: RequestPattern) -> RecordingFilter {
        RecordingFilter("keep \(MessageText.text(pattern.description))") { pattern.matches($0.request) }
    }
}
