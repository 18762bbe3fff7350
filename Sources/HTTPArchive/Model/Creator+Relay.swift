extension HAR.Creator {
    /// This package, as the creator of the archives that it makes.
    package static let relay = HAR.Creator(name: "Relay", version: "0.1.0")
}
