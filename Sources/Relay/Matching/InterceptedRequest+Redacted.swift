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

    /// What tells the secrets of this request from those of others like it: the placeholders in its URL, its credentials
    /// and its body.
    ///
    /// Cookies are not among them, since they change with each session.
    var placeholders: [String] {
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + headers.values(named: "authorization") + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}
