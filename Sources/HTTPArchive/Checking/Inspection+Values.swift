/// The rules for single values.
extension Inspection {
    /// Checks that a date is ISO 8601 with an offset.
    mutating func checkDate(_ value: JSONNode, of field: HARField) {
        let text = value.string.text
        guard HAR.date(text) == nil else { return }
        if text.isEmpty, field.absence == nil {
            report(.note, .invalidDate, at: value, "`\(field.name)` is empty; HAR 1.2 leaves such a field out.")
        } else if HAR.date(text + "Z") != nil {
            report(
                .warning, .dateWithoutOffset, at: value,
                "`\(field.name)` has no offset from UTC, so the moment is unknown; HAR 1.2 wants one.")
        } else {
            report(
                .warning, .invalidDate, at: value,
                "`\(field.name)` is no date; HAR 1.2 wants ISO 8601, such as 2009-07-24T19:20:30.45+01:00.")
        }
    }

    /// Checks that a version of HTTP is one that exists, in one of the ways in which tools write it.
    mutating func checkHTTPVersion(_ value: JSONNode) {
        let text = value.string.text
        let pattern = /(?i)(http\/)?(0\.9|1\.[01]|[23](\.0)?)|h2c?|h3(-.+)?|spdy\/.+|(http\/2\+)?quic\/.+/
        if text.isEmpty {
            report(.note, .unknownHTTPVersion, at: value, "`httpVersion` is empty; HAR 1.2 wants it, as in HTTP/1.1.")
        } else if text.wholeMatch(of: pattern) == nil {
            report(.note, .unknownHTTPVersion, at: value, "`httpVersion` is \(text.quoted), no version of HTTP.")
        }
    }

    /// Checks that a status is one of HTTP; 0 and -1 say that there was no response.
    mutating func checkStatus(_ value: JSONNode) {
        guard let status = value.int, (100...599).contains(status) || (-1...0).contains(status) else {
            report(
                .warning, .invalidStatus, at: value,
                "`status` is \(value.number.text.quoted); the status codes of HTTP are 100 to 599.")
            return
        }
    }

    /// Checks that a size is a number of bytes, or -1.
    mutating func checkSize(_ value: JSONNode, of field: HARField) {
        if let size = value.int, size >= -1 { return }
        report(
            .warning, .invalidSize, at: value,
            "`\(field.name)` is \(value.number.text.quoted); HAR 1.2 wants a number of bytes, -1 where it is unknown.")
    }

    /// Checks that a time is not negative, but for -1 where that says that the time does not apply.
    mutating func checkTime(_ value: JSONNode, of field: HARField) {
        guard let time = value.number.double, time < 0 else { return }
        let text = value.number.text.quoted
        if case .time = field.value {
            report(.warning, .unknownTime, at: value, "`\(field.name)` is \(text); HAR 1.2 wants no negative time.")
        } else if time != -1 {
            report(
                .warning, .unknownTime, at: value,
                "`\(field.name)` is \(text); HAR 1.2 wants no negative time but -1, for one that does not apply.")
        }
    }
}
