import Foundation
import HTTPArchive

/// The dates in recorded responses that are moved by the time since the recording.
///
/// Cookies in an archive expire, and then clients would continue a recorded session without them. Therefore, a date that
/// is 30 days after a recorded response is 30 days after the replayed response. The archive is not changed.
///
/// `Max-Age` and `Age` are relative, and need no change. `Last-Modified` is never moved, because clients send it back in
/// later requests. Dates in bodies are not moved.
public enum MovedDates: Hashable, Sendable {
    /// No dates.
    case none

    /// The `Expires` attributes of cookies, and the `Date` fields of the same responses.
    ///
    /// Some browsers compute the lifetime of a cookie from the difference between the two dates.
    case cookies

    /// The `Expires` attributes of cookies, and the fields `Date`, `Expires` and `Retry-After` of all responses.
    ///
    /// Clients with a cache then keep responses as long as they would keep live ones.
    case all
}

extension MovedDates {
    /// Returns whether a response can contain dates to move.
    func affect(_ headers: [HeaderField]) -> Bool {
        switch self {
        case .none: false
        case .cookies:
            headers.contains { $0.name.lowercased() == "set-cookie" && $0.value.lowercased().contains("expires") }
        case .all: true
        }
    }

    /// Moves the dates in the header fields of a response.
    ///
    /// Text that is not a date is preserved, and so are expiry dates long before the response, which delete cookies.
    ///
    /// - Parameters:
    ///   - headers: The header fields of a response that ``affect(_:)`` accepts.
    ///   - received: The time at which the response was received.
    ///   - now: The time of the replay. If it is not later, nothing is moved.
    func move(_ headers: inout [HeaderField], from received: Date, to now: Date) {
        let age = now.timeIntervalSince(received)
        guard age > 0 else { return }
        let moved = { (text: Substring, earliest: Date) -> String in
            let date = CookieDate.date(String(text)).flatMap { $0 < earliest ? nil : $0.addingTimeInterval(age) }
            return date.flatMap(CookieDate.text) ?? String(text)
        }
        // The clocks of the server and the recording client are assumed to differ by less than a day.
        let earliest = received.addingTimeInterval(-86_400)
        for index in headers.indices {
            let value = headers[index].value
            switch headers[index].name.lowercased() {
            case "set-cookie":
                for range in CookieText.expiryDates(in: value).reversed() {
                    headers[index].value.replaceSubrange(range, with: moved(value[range], earliest))
                }
            case "date": headers[index].value = moved(value[...], .distantPast)
            case "expires", "retry-after": if self == .all { headers[index].value = moved(value[...], earliest) }
            default: break
            }
        }
    }
}

extension HAR.Entry {
    /// The time at which the response was received, or nil if the start time is not a valid date.
    var receivedDate: Date? { startedDate?.addingTimeInterval(max(0, time ?? 0) / 1000) }
}
