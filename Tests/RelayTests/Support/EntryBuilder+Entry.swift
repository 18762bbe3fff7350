import HTTPArchive

@testable import RelayCore

extension EntryBuilder {
    /// Returns the entry for an exchange.
    func entry(for exchange: CapturedExchange, page: String?) throws(HARError) -> HAR.Entry {
        var count = 0
        guard let entry = try entry(for: exchange, page: page, counting: &count, inflating: .max) else {
            throw HARError(.limitExceeded, "The search for secrets ended early.")
        }
        return entry
    }
}
