import Foundation
import HTTPArchive

extension PlantPlace {
    /// Returns a location in a header field of requests or responses.
    private static func header(
        _ name: String, _ part: Part, _ syntax: PlantSyntax, _ encoding: PlantEncoding = .plain,
        _ value: @escaping @Sendable (String) -> String = { $0 }
    ) -> PlantPlace {
        PlantPlace(
            name: "\(part == .request ? "request" : "response") header \(name), \(syntax.name)", encoding: encoding,
            alphabet: syntax.alphabet, permits: syntax.permits, part: part
        ) { plants in
            fields([HAR.Header(name: name, value: value(encoding.encode(syntax.text(plants))))], part)
        }
    }

    fileprivate static func fields(_ headers: [HAR.Header], _ part: Part) -> HAR.Entry {
        .changed { entry in
            if part == .request { entry.request.headers = headers } else { entry.response.headers = headers }
        }
    }

    private static func named(
        _ title: String, _ part: Part, _ alphabet: PlantAlphabet = .token,
        value: @escaping @Sendable (String) -> String = { $0 }
    ) -> PlantPlace {
        PlantPlace(name: title, alphabet: alphabet, part: part) { plants in
            fields(plants.map { HAR.Header(name: $0.name, value: $0.isSecret ? value($0.value) : $0.value) }, part)
        }
    }

    private static func whole(
        _ name: String, isExact: Bool = true, _ value: @escaping @Sendable (Plant) -> String
    ) -> PlantPlace {
        PlantPlace(
            name: "request header \(name)", alphabet: .token, batch: 1, hasDecoys: false, isExact: isExact,
            hasAmbiguousNames: false, part: .request
        ) { plants in
            let field = String(name.prefix { $0 != ":" })
            return fields(plants.map { HAR.Header(name: field, value: value($0)) }, .request)
        }
    }

    /// The locations in header fields.
    static let headers: [PlantPlace] =
        [
            named("request headers", .request), named("response headers", .response),
            named("request headers in lower case", .request).lowercased,
            named("request headers with a scheme", .request) { "Bearer \($0)" },
            whole("Authorization: Bearer") { "Bearer \($0.value)" }, whole("Authorization") { $0.value },
            whole("Authorization: Basic", isExact: false) {
                "Basic \(Data("\($0.name):\($0.value)".utf8).base64EncodedString())"
            },
            whole("Authorization: Digest", isExact: false) {
                "Digest username=\"ann\", realm=\"r\", response=\"\($0.value)\""
            },
            whole("Authorization: AWS4", isExact: false) {
                "AWS4-HMAC-SHA256 Credential=AKID/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=\($0.value)"
            },
            whole("Authorization: custom scheme", isExact: false) { "Custom-\($0.name) \($0.value)" },
            whole("Proxy-Authorization") { "Basic \($0.value)" },
            whole("Authorization: OAuth", isExact: false) {
                "OAuth realm=\"r\", oauth_token=\"\($0.value)\", oauth_version=\"1.0\""
            },
            header("X-Data", .request, .json), header("X-Data", .request, .json, .base64),
            header("X-Data", .request, .json, .base64URL),
            header("X-Data", .request, .json, .percent), header("X-Data", .response, .json),
            header("X-Data", .response, .jsonLists[0]),
            header("X-Data", .request, .form), header("X-Parameters", .response, .assignments),
            header("Link", .response, .relativeURL) { "<\($0)>; rel=\"next\", </x?n=1>; rel=last" },
            header("Link", .response, .absoluteURL) { "<https://b.test/x?n=1>; rel=first, <\($0)>; rel=\"next\"" },
            header("Refresh", .response, .relativeURL) { "5; url=\($0)" },
            header("Refresh", .response, .absoluteURL) { "0;URL='\($0.replacing("'", with: "%27"))'" },
        ]
        + ["Location", "Content-Location", "X-Redirect-To"].flatMap { name in
            [PlantSyntax.relativeURL, .absoluteURL, .fragmentURL, .matrixURL, .schemelessURL].map {
                header(name, .response, $0)
            }
        }
        + ["Referer", ":path", "Origin-Url", "X-Original-URL", "Destination"].flatMap { name in
            [PlantSyntax.relativeURL, .absoluteURL].map { header(name, .request, $0) }
        }

    private var lowercased: PlantPlace {
        PlantPlace(name: name, alphabet: alphabet, part: part) { plants in
            Self.fields(plants.map { HAR.Header(name: $0.name.lowercased(), value: $0.value) }, part)
        }
    }
}

extension PlantPlace {
    private static func cookiePlace(
        _ name: String, _ part: Part, _ alphabet: PlantAlphabet = .token,
        _ entry: @escaping @Sendable ([Plant]) -> HAR.Entry
    ) -> PlantPlace {
        PlantPlace(name: name, alphabet: alphabet, hasDecoys: false, isExact: false, part: part, entry: entry)
    }

    /// The locations in cookies.
    static let cookies: [PlantPlace] = [
        cookiePlace("Cookie", .request) { plants in
            fields(
                [HAR.Header(name: "Cookie", value: plants.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))],
                .request)
        },
        cookiePlace("Set-Cookie", .response) { plants in
            fields(
                plants.map {
                    HAR.Header(name: "Set-Cookie", value: "\($0.name)=\($0.value); Path=/; Max-Age=4217; HttpOnly")
                },
                .response)
        },
        cookiePlace("Set-Cookie in lines", .response) { plants in
            let lines = plants.map {
                "\($0.name)=\"\($0.value)\"; Domain=a.test; Expires=Wed, 21 Oct 2026 07:28:00 GMT"
            }
            return fields([HAR.Header(name: "set-cookie", value: lines.joined(separator: "\n"))], .response)
        },
        cookiePlace("cookies of the request", .request, .any) { plants in
            .changed { $0.request.cookies = plants.map { HAR.Cookie(name: $0.name, value: $0.value) } }
        },
        cookiePlace("cookies of the response", .response, .any) { plants in
            .changed { $0.response.cookies = plants.map { HAR.Cookie(name: $0.name, value: $0.value) } }
        },
        cookiePlace("Cookie, JSON", .request) { plants in
            let value = PlantSyntax.json.text(plants).percentEncoded
            return fields([HAR.Header(name: "Cookie", value: "a=b; state=\(value)")], .request)
        },
        cookiePlace("Cookie2", .request) { plants in
            fields(
                [HAR.Header(name: "Cookie2", value: plants.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))],
                .request)
        },
    ]
}
