/// Counts the text in an archive.
///
/// The counts ensure that every value is decoded and that all readers have equal results.
struct Text {
    /// The total number of UTF-8 bytes in all texts.
    private(set) var size = 0

    /// The sum of all numbers.
    private(set) var sum = 0.0

    mutating func add(_ text: String?) { size += text?.utf8.count ?? 0 }

    mutating func add(_ number: Double?) { sum += number ?? 0 }

    mutating func add(_ number: Int?) { sum += Double(number ?? 0) }

    mutating func add(_ flag: Bool?) { sum += flag == true ? 1 : 0 }
}
