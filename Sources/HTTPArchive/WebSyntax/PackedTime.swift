import Foundation

/// A time in the form that most tools write, in eight bytes, from which the text is restored exactly.
///
/// The form is `2026-01-31T08:00:00`, followed by up to seven decimals and `Z` or an offset of whole quarter hours, such
/// as `+01:00`. The years are 1970 to 2426. Other texts, such as invalid dates, have no packed form.
struct PackedTime: Hashable, Sendable {
    /// The number of all sequences of up to seven decimals.
    private static let decimalsCount: UInt64 = 11_111_111

    /// The number of quarter hours in an offset, up to 14 hours, in one direction.
    private static let quarterCount = 57

    /// The number of offsets: `Z`, and the others in both directions.
    private static let offsetCount = UInt64(1 + 2 * quarterCount)

    /// The values that never occur, which a row uses for the size of a text.
    static let unused: ClosedRange<UInt64> = 0...UInt64(UInt16.max)

    /// The local time in seconds since 1970, the offset, and the decimals, as digits of a number with mixed radices.
    let value: UInt64

    /// Creates a time from the value of another one.
    ///
    /// Any value is valid, because it can be from a damaged file.
    init(value: UInt64) { self.value = value }

    /// Parses a text, or returns nil if it has another form.
    init?(_ text: UnsafeRawBufferPointer) {
        guard let local = Self.localSeconds(text) else { return nil }
        // Sequences of decimals are numbered from the shortest to the longest, so trailing zeros are significant.
        var decimals: UInt64 = 0
        var end = 19
        if text[end] == UInt8(ascii: ".") {
            end += 1
            while end < min(text.count, 27), let digit = Self.digit(text[end]) {
                decimals = decimals * 10 + 1 + UInt64(digit)
                end += 1
            }
            guard end > 20 else { return nil }
        }
        guard let offset = Self.offset(text[from: end]) else { return nil }
        let seconds = UInt64(local).multipliedReportingOverflow(by: Self.offsetCount * Self.decimalsCount)
        let sum = seconds.partialValue.addingReportingOverflow(UInt64(offset) * Self.decimalsCount + decimals)
        guard !seconds.overflow, !sum.overflow, !Self.unused.contains(sum.partialValue) else { return nil }
        value = sum.partialValue
    }

    /// Parses the part up to the seconds, which other text must follow.
    private static func localSeconds(_ text: UnsafeRawBufferPointer) -> Int? {
        let form: StaticString = "0000-00-00T00:00:00"
        guard text.count > form.utf8CodeUnitCount else { return nil }
        for offset in 0..<form.utf8CodeUnitCount {
            let expected = form.utf8Start[offset]
            guard expected == UInt8(ascii: "0") ? digit(text[offset]) != nil : text[offset] == expected else {
                return nil
            }
        }
        func number(_ offset: Int) -> Int { Int(text[offset] & 0xF) &* 10 &+ Int(text[offset &+ 1] & 0xF) }
        let (year, month, day) = (number(0) * 100 + number(2), number(5), number(8))
        let (hour, minute, second) = (number(11), number(14), number(17))
        // A leap second is not restored from the number of seconds.
        guard year >= 1970, 1...12 ~= month, day >= 1, day <= ISO8601Parser.days(in: month, of: year), hour < 24,
            minute < 60, second < 60
        else { return nil }
        return ((ISO8601Parser.daysSince1970(year: year, month: month, day: day) * 24 + hour) * 60 + minute) * 60
            + second
    }

    /// Parses an offset, and returns its number: 0 for `Z`.
    private static func offset(_ text: UnsafeRawBufferPointer) -> Int? {
        if text.count == 1, text[0] == UInt8(ascii: "Z") { return 0 }
        guard text.count == 6, text[3] == UInt8(ascii: ":"), let tens = digit(text[1]), let hours = digit(text[2]),
            let quarter = ["00", "15", "30", "45"].firstIndex(where: { text[from: 4].elementsEqual($0.utf8) }),
            case let quarters = (tens * 10 + hours) * 4 + quarter, quarters < quarterCount
        else { return nil }
        switch text[0] {
        case UInt8(ascii: "+"): return 1 + quarters
        case UInt8(ascii: "-"): return 1 + quarterCount + quarters
        default: return nil
        }
    }

    private static func digit(_ byte: UInt8) -> Int? { 0x30...0x39 ~= byte ? Int(byte & 0xF) : nil }

    /// The local time in seconds since 1970, the number of the offset, and the decimals as a number with a scale of ten to
    /// the power of their count.
    private var parts: (local: Int, offset: Int, decimals: Int, scale: Int, count: Int) {
        let (rest, sequence) = value.quotientAndRemainder(dividingBy: Self.decimalsCount)
        let (local, offset) = rest.quotientAndRemainder(dividingBy: Self.offsetCount)
        // The first sequence of each length is a number of ones.
        var (first, scale, count) = (0, 1, 0)
        while first * 10 + 1 <= Int(sequence) { (first, scale, count) = (first * 10 + 1, scale * 10, count + 1) }
        return (Int(local), Int(offset), Int(sequence) - first, scale, count)
    }

    /// The text.
    var text: String {
        let (local, offset, decimals, _, count) = parts
        var text = ISO8601Text(seconds: local)
        if count > 0 { text.append(".", decimals, digits: count) }
        if offset == 0 {
            text.append("Z")
        } else {
            let (isWest, quarters) = (offset - 1).quotientAndRemainder(dividingBy: Self.quarterCount)
            text.append(isWest == 0 ? "+" : "-", quarters / 4, digits: 2)
            text.append(":", quarters % 4 * 15, digits: 2)
        }
        return text.string
    }

    /// The date, which is the same as `HAR.date` returns for the text.
    var date: Date {
        let (local, offset, decimals, scale, _) = parts
        let (isWest, quarters) = max(0, offset - 1).quotientAndRemainder(dividingBy: Self.quarterCount)
        let seconds = Double(local - (isWest == 0 ? 900 : -900) * quarters)
        return Date(
            timeIntervalSinceReferenceDate: seconds - Date.timeIntervalBetween1970AndReferenceDate
                + Double(decimals) / Double(scale))
    }
}

/// A start time as recorded, packed if its text has a common form.
enum RecordedTime: Hashable, Sendable {
    case packed(PackedTime)
    case text(String)

    /// Creates a start time from its text.
    init(_ text: String) { self = text.withUTF8Bytes { PackedTime($0) }.map(Self.packed) ?? .text(text) }

    /// The text.
    var text: String {
        switch self {
        case .packed(let time): time.text
        case .text(let text): text
        }
    }

    /// The date, or nil if the text is not a valid date.
    var date: Date? {
        switch self {
        case .packed(let time): return time.date
        case .text(let text):
            var parser = ISO8601Parser(text)
            return parser.date()
        }
    }
}
