extension Int {
    /// Creates the nearest integer to a number, rounded toward zero; 0 if the number is not a number.
    ///
    /// `Int(_:)` ends the process for a number outside the range of `Int`. Therefore, `Tests/Architecture/check` permits
    /// it only in this file.
    ///
    /// - Parameter number: The number, which can come from an archive.
    package init(clamping number: Double) {
        self = Int(exactly: number.rounded(.towardZero)) ?? (number.isNaN ? 0 : number < 0 ? .min : .max)
    }

    /// Returns the sum of this number and another one, or the nearest integer if the sum is outside the range of `Int`.
    ///
    /// - Parameter other: The number to add, which can come from an archive.
    /// - Returns: The sum.
    package func adding(clamping other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Returns this number minus another one, or the nearest integer if the difference is outside the range of `Int`.
    ///
    /// - Parameter other: The number to subtract, which can come from an archive.
    /// - Returns: The difference.
    package func subtracting(clamping other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

extension Duration {
    /// Creates a duration from a number of seconds, which is clamped to the range from zero to one year.
    ///
    /// `Duration` ends the process for larger numbers.
    ///
    /// - Parameter seconds: The number of seconds; not a number is zero.
    package init(clampingSeconds seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 31_536_000))
    }
}
