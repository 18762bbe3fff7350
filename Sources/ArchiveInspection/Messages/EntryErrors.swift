package import HTTPArchive

extension HAREntrySummary {
    /// Whether the request failed, or the status reports an error.
    package var isError: Bool { isFailed || status >= 400 }
}

extension HAREntryFacts {
    /// Whether the request failed, or the status reports an error.
    package var isError: Bool { isFailed || status >= 400 }
}
