import HTTPArchive

/// A part of an archive that is split.
struct Part {
    /// What the entries of a part have in common.
    enum Key: Hashable {
        case host(String?)
        case page(String?)
    }

    /// What the entries have in common; `nil` where it is only their place.
    let key: Key?

    /// The places of the entries in the archive.
    var indices: [Int] = []

    /// The log of the part, without its entries.
    ///
    /// Every field of the log goes to every part, but that a part for a page has no other pages.
    func log(of log: HAR.Log) -> HAR.Log {
        guard case .page(let id)? = key, let pages = log.pages else { return log }
        var log = log
        log.pages = pages.filter { $0.id == id }
        return log
    }
}
