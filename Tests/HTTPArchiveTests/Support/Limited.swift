import TestSupport
import Testing

extension Trait where Self == ConcurrencyLimit {
    /// Limits the number of test cases that run at the same time.
    ///
    /// Every suite of this package has this trait.
    static var limited: Self { Self() }
}
