/// Counts the text of an archive, so that every value has to be made, and readers can be seen to have made the same ones.
struct Text {
    /// The number of bytes of all texts in UTF-8.
    private(set) var size = 0

    /// The sum of all numbers.
    private(set) var sum = 0.0

    mutating func add(_ text: String?) { size += text?.utf8.count ?? 0 }

    mutating func add(_ number: Double?) { sum += number ?? 0 }

    mutating func add(_ number: Int?) { sum += Double(number ?? 0) }

    mutating func add(_ flag: Bool?) { sum += flag == true ? 1 : 0 }
}
