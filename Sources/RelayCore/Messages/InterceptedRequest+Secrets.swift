import Foundation
import HTTPArchive

extension InterceptedRequest {
    /// The request with the bare word `REDACTED` in place of each placeholder.
    var withoutKeys: InterceptedRequest {
        var request = self
        request.url = HARRedactor.withoutKeys(url)
        request.headers = headers.map { field in
            HeaderField(name: field.name, value: HARRedactor.withoutKeys(field.value))
        }
        request.body = body.map { HARRedactor.withoutKeys($0) }
        return request
    }

    /// Whether the request contains placeholders for secrets, in any form.
    var isRedacted: Bool {
        HARRedactor.isRedacted(url) || headers.contains { HARRedactor.isRedacted($0.value) }
            || body.map { HARRedactor.isRedacted($0) } ?? false
    }

    /// The placeholders in the request.
    ///
    /// They distinguish the request from similar requests with other secrets.
    ///
    /// Placeholders in cookies are excluded because cookies change with each session.
    var placeholders: [String] {
        let fields = headers.filter { $0.name.lowercased() != "cookie" }.map(\.value)
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + fields + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}
