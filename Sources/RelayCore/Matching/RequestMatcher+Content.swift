import Foundation
public import HTTPArchive

extension RequestMatcher {
    /// The header fields of some names.
    ///
    /// The values of a name are compared in any order. A boundary in `Content-Type` does not count, and `Accept: */*` is
    /// the same as none.
    ///
    /// - Parameter names: The names, in any case.
    /// - Returns: The matcher.
    public static func header(_ names: String...) -> RequestMatcher {
        RequestMatcher("header " + names.joined(separator: ", "), Equivalence(headers: [.named(names)]))
    }

    /// All header fields but those of some names, compared as by ``header(_:)``.
    ///
    /// - Parameters:
    ///   - names: The names, in any case; ``volatileHeaders`` unless given.
    ///   - ignoresCase: Whether the case of values does not matter either; `false` by default.
    /// - Returns: The matcher.
    public static func headers(
        ignoring names: Set<String> = volatileHeaders, ignoringCase ignoresCase: Bool = false
    ) -> RequestMatcher {
        RequestMatcher("headers", Equivalence(headers: [.all(ignoring: names, ignoringCase: ignoresCase)]))
    }

    /// The body, compared as what its `Content-Type` says: JSON, a form, parts, or else bytes.
    ///
    /// An empty body is the same as none. One that the archive does not have equals no other.
    public static let body = body("body", .byType)

    /// The bytes of the body.
    public static let bodyBytes = body("body bytes", .bytes)

    /// The body as `application/x-www-form-urlencoded`: its items, in any order.
    public static let formBody = body("form", .form)

    /// The body as `multipart/form-data`, whatever its boundary is.
    ///
    /// It is compared part by part, by name, file name, media type and content. What is none is compared by its bytes.
    public static let multipartBody = body("multipart", .multipart)

    /// The operation that a request of GraphQL asks for: its name and variables.
    ///
    /// It may stand in a body of JSON, alone or in a batch, in the part `operations` of a form with files, or in the query.
    /// Operations without a name are told apart by their documents. Of other requests, query and body are compared.
    public static let graphQL = body("GraphQL", .graphQL)

    /// The body as JSON; what is none is compared by its bytes.
    ///
    /// White space, the order of members and the spelling of strings and numbers do not matter.
    ///
    /// - Parameter pointers: Places whose values do not matter, whether they are there or not; none by default.
    /// - Returns: The matcher.
    public static func jsonBody(ignoring pointers: [JSONPointer] = []) -> RequestMatcher {
        body("JSON", .json(ignoring: pointers))
    }

    private static func body(_ name: String, _ rule: BodyRule) -> RequestMatcher {
        RequestMatcher(name, Equivalence(bodies: [rule]))
    }
}

extension RequestMatcher {
    /// Header fields, in lower case, that differ from one run to the next though the same thing is asked.
    ///
    /// They are made by the client's software and not by who asks (`user-agent`, `accept-encoding`, `sec-fetch-mode`), by
    /// the connection (`host`, `connection`, `content-length`), anew for each request (`date`, `traceparent`), or from
    /// what the client has seen before (`cookie`, `if-none-match`, `referer`). Credentials (`authorization`) are among
    /// them, for archives are commonly stripped of these.
    public static let volatileHeaders: Set<String> = [
        // Made by the client's software.
        "accept-charset", "accept-encoding", "accept-language", "dnt", "priority", "sec-ch-ua", "sec-ch-ua-arch",
        "sec-ch-ua-bitness", "sec-ch-ua-full-version", "sec-ch-ua-full-version-list", "sec-ch-ua-mobile",
        "sec-ch-ua-model", "sec-ch-ua-platform", "sec-ch-ua-platform-version", "sec-fetch-dest", "sec-fetch-mode",
        "sec-fetch-site", "sec-fetch-user", "sec-gpc", "te", "upgrade-insecure-requests", "user-agent",
        // Of the connection.
        "connection", "content-length", "expect", "forwarded", "host", "http2-settings", "keep-alive",
        "proxy-connection", "trailer", "transfer-encoding", "upgrade", "via", "x-forwarded-for", "x-forwarded-host",
        "x-forwarded-proto",
        // Anew for each request.
        "b3", "baggage", "date", "idempotency-key", "sentry-trace", "traceparent", "tracestate", "x-amz-date",
        "x-amzn-trace-id", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid", "x-b3-traceid",
        "x-cloud-trace-context", "x-correlation-id", "x-request-id",
        // What the client has seen, and what it holds.
        "authorization", "cache-control", "cookie", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "origin", "pragma", "proxy-authorization", "referer",
    ]
}

/// What a request sends under names, wherever it stands: items of the query and of a form, members of a JSON object.
struct RequestParameters {
    /// The values of each name as texts, sorted; numbers as they are written, what has a structure as JSON in one form.
    let values: [String: [String]]

    /// Reads the parameters of a request.
    ///
    /// - Complexity: O(*n* log *n*) in the size of its query and its body.
    init(_ request: ComparedRequest) {
        var values = FormItems(Data((request.url.query ?? "").utf8)).values
        switch BodyRule.byType.content(of: request) {
        case .form(let items, _): values.merge(items.values, uniquingKeysWith: +)
        case .json(let value, _):
            for member in value.object?.members ?? [] {
                values[member.name.text, default: []].append(Self.text(member.value))
            }
        default: break
        }
        self.values = values.mapValues { $0.sorted() }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): string.text
        case .number(let number): number.text
        default: String(decoding: value.canonicalText(), as: UTF8.self)
        }
    }
}

extension RequestMatcher {
    /// What the recorded request sends under names: items of its query or of a form, members of a JSON object.
    ///
    /// A request has to send all of it with the same values, no matter in which of these places; whatever it sends besides
    /// does not count. So a recorded request that sends nothing answers every one.
    public static let recordedParameters = RequestMatcher(
        "parameters", Equivalence(),
        tests: [
            { asked, recorded in
                let asked = RequestParameters(asked).values
                let missing = RequestParameters(recorded).values.filter { asked[$0.key] != $0.value }
                return MatchVerdict(
                    differences: missing.keys.sorted().map { name in
                        MatchDifference("parameter", recorded: name, asked: asked[name].map { _ in name })
                    })
            }
        ])
}
