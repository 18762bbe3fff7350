import Foundation
import HTTPArchive

extension InterceptedRequest {
    /// The request with the bare word in place of each placeholder of a secret.
    var withoutKeys: InterceptedRequest {
        var request = self
        request.url = HARRedactor.withoutKeys(url)
        request.headers = headers.map { field in
            HeaderField(name: field.name, value: HARRedactor.withoutKeys(field.value))
        }
        // A body that is no text has placeholders as little as a text has bytes that are none.
        guard let body, let text = String(validating: body, as: UTF8.self) else { return request }
        let bare = HARRedactor.withoutKeys(text)
        if bare != text { request.body = Data(bare.utf8) }
        return request
    }

    /// Whether secrets were taken out of it, whatever stands in their places.
    var isRedacted: Bool {
        HARRedactor.isRedacted(url) || headers.contains { HARRedactor.isRedacted($0.value) }
            || body.map { HARRedactor.isRedacted(String(decoding: $0, as: UTF8.self)) } ?? false
    }

    /// What tells the secrets of this request from those of others like it: its placeholders.
    ///
    /// Those of cookies are not among them, since they change with each session.
    var placeholders: [String] {
        let fields = headers.filter { $0.name.lowercased() != "cookie" }.map(\.value)
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + fields + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}
