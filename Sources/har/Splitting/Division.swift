import ArgumentParser
import HTTPArchive

/// What decides to which part an entry belongs, as it is typed.
enum Division: ExpressibleByArgument {
    /// A part for each host.
    case host

    /// A part for each page.
    case page

    /// Parts of a number of entries.
    case count(Int)

    /// Parts of at most a number of bytes.
    case size(Int)

    init?(argument: String) {
        let words = argument.split(separator: "=", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("host", 1): self = .host
        case ("page", 1): self = .page
        case ("count", 2):
            guard let count = Int(words[1]), count > 0 else { return nil }
            self = .count(count)
        case ("size", 2):
            guard let size = ByteCount(argument: words[1]), size.bytes > 0 else { return nil }
            self = .size(size.bytes)
        default: return nil
        }
    }

    /// What entries of one part have in common; `nil` where it is only their place.
    func key(of entry: HAREntryFacts) -> Part.Key? {
        switch self {
        case .host: .host(entry.host)
        case .page: .page(entry.pageref)
        case .count, .size: nil
        }
    }
}
