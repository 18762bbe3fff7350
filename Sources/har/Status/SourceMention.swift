import Foundation

/// Where the sources name an archive, and how sure that is.
struct SourceMention {
    /// How sure it is that a test plays the archive.
    enum Certainty: String, Comparable {
        /// Nothing names it.
        case no

        /// Something is called like it, or documentation names it.
        case perhaps

        /// Code names it.
        case yes

        static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .no: 0
            case .perhaps: 1
            case .yes: 2
            }
        }
    }

    /// How sure it is.
    let certainty: Certainty

    /// The file that names it; `nil` when none does.
    let file: URL?

    /// An archive that nothing names.
    static let none = SourceMention(certainty: .no, file: nil)
}
