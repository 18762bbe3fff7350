import Foundation
import HTTPArchive

/// A conversion of exchanges to a reproducible form.
struct RepeatableExchange {
    private let settings: RecordingConfiguration.Repeatable

    /// The names of the header fields to omit, in lowercase.
    private let volatileHeaders: Set<String>

    init(_ settings: RecordingConfiguration.Repeatable) {
        self.settings = settings
        volatileHeaders = Set(settings.volatileHeaders.map { $0.lowercased() })
    }

    /// Returns the reproducible form of an exchange.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: A copy without values that change with each exchange.
    func form(of exchange: CapturedExchange) -> CapturedExchange {
        var result = exchange
        result.start = settings.start
        result.timings = CapturedExchange.Timings()
        result.wire.serverIPAddress = nil
        result.wire.connection = nil
        result.wire.requestHeadersSize = nil
        result.wire.responseHeadersSize = nil
        result.request.headers = headers(exchange.request.headers)
        guard let head = exchange.head else { return result }
        let now = head.headers.values(named: "date").first.flatMap(CookieDate.date) ?? exchange.start
        result.head?.headers = headers(head.headers).map { field in
            guard field.name.lowercased() == "set-cookie" else { return field }
            return HeaderField(name: field.name, value: Self.lasting(field.value, at: now))
        }
        return result
    }

    private func headers(_ fields: [HeaderField]) -> [HeaderField] {
        fields.map { (name: $0.name.lowercased(), field: $0) }
            .filter { !volatileHeaders.contains($0.name) }
            .sorted { $0.name < $1.name }
            .map(\.field)
    }

    /// Returns a `Set-Cookie` value that specifies the lifetime only as `Max-Age` (RFC 6265, section 4.1.2.2,
    /// https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.2).
    private static func lasting(_ value: String, at now: Date) -> String {
        var parts = CookieText.parts(of: value.utf8).map { String(Substring($0)) }
        let attributes = parts.dropFirst().map { CookieText($0) }
        let names = attributes.map(\.attribute)
        let hasMaxAge = names.contains("max-age")
        for (index, name) in zip(parts.indices.dropFirst(), names).reversed() where name == "expires" {
            let date = CookieDate.date(attributes[index - 1].text)
            if hasMaxAge || date == nil {
                parts.remove(at: index)
            } else if let date {
                let minutes = (date.timeIntervalSince(now) / 60).rounded()
                parts[index] = " Max-Age=\(Int(max(0, min(minutes, 1e9))) * 60)"
            }
        }
        return parts.joined(separator: ";")
    }
}
