import Foundation
public import HTTPArchive

extension RequestMatcher {
    /// Returns a matcher that compares the header fields with the given names.
    ///
    /// If a field occurs several times, its values are compared in any order. The boundary in `Content-Type` is
    /// ignored. `Accept: */*` is equivalent to a missing field.
    ///
    /// - Parameter names: The case-insensitive names.
    /// - Returns: The matcher.
    public static func header(_ names: String...) -> RequestMatcher {
        RequestMatcher("header " + names.joined(separator: ", "), Equivalence(headers: [.named(names)]))
    }

    /// Returns a matcher that compares all header fields except those with the given names, in the same way as
    /// ``header(_:)``.
    ///
    /// - Parameters:
    ///   - names: The case-insensitive names to ignore; ``volatileHeaders`` by default.
    ///   - ignoresCase: Whether values are compared case-insensitively; `false` by default.
    /// - Returns: The matcher.
    public static func headers(
        ignoring names: Set<String> = volatileHeaders, ignoringCase ignoresCase: Bool = false
    ) -> RequestMatcher {
        RequestMatcher("headers", Equivalence(headers: [.all(ignoring: names, ignoringCase: ignoresCase)]))
    }

    /// A matcher for the body, compared as JSON, a form, multipart, or bytes, depending on its `Content-Type`.
    ///
    /// An empty body is equivalent to no body. If the archive does not contain a recorded body, the requests do not
    /// match.
    public static let body = body("body", .byType)

    /// A matcher for the bytes of the body.
    public static let bodyBytes = body("body bytes", .bytes)

    /// A matcher for the items of a form (`application/x-www-form-urlencoded`) in any order, regardless of
    /// `Content-Type`.
    public static let formBody = body("form", .form(ignoring: []))

    /// A matcher for the parts of a `multipart/form-data` body, regardless of the boundary.
    ///
    /// Parts are compared by name, file name, media type and content. A body that is not multipart is compared as
    /// bytes.
    public static let multipartBody = body("multipart", .multipart(ignoring: []))

    /// A matcher for the operation of a GraphQL request: its name and variables.
    ///
    /// The operation is read from a JSON body (alone or in a batch), from the `operations` part of a multipart form,
    /// from an `application/graphql` body, or from the query. Anonymous operations are compared by document and
    /// variables. Requests without an operation are compared by query and body.
    public static let graphQL = body("GraphQL", .graphQL)

    /// Returns a matcher that compares the body as JSON, or as bytes if it is not JSON.
    ///
    /// Whitespace, the order of members, and the spelling of strings and numbers are ignored.
    ///
    /// - Parameter pointers: The locations of values to ignore, which need not exist; none by default. `*` matches any
    ///   name or index, as in `/items/*/id`, and `**` any number of them, as in `/**/id`.
    /// - Returns: The matcher.
    public static func jsonBody(ignoring pointers: [JSONPointer] = []) -> RequestMatcher {
        body("JSON", .json(ignoring: pointers))
    }

    /// Returns a matcher that compares certain members of a body that is a JSON object, in the same way as
    /// ``jsonBody(ignoring:)``.
    ///
    /// - Parameters:
    ///   - members: The names of the members. A missing member matches only a missing member.
    ///   - pointers: The locations of values to ignore in these members; none by default.
    /// - Returns: The matcher.
    public static func jsonBody(members: Set<String>, ignoring pointers: [JSONPointer] = []) -> RequestMatcher {
        body("JSON", .json(ignoring: pointers, members: members))
    }

    private static func body(_ name: String, _ rule: BodyRule) -> RequestMatcher {
        RequestMatcher(name, Equivalence(bodies: [rule]))
    }
}

extension RequestMatcher {
    /// The lowercase names of header fields that can differ between equivalent requests.
    ///
    /// These fields are set by the client's software (`user-agent`, `accept-encoding`, `sec-fetch-mode`) or by the
    /// connection (`host`, `connection`, `content-length`), change with each request (`date`, `traceparent`), or depend
    /// on earlier responses (`cookie`, `if-none-match`, `referer`). Credentials (`authorization`) are included because
    /// archives are commonly shared without them.
    public static let volatileHeaders: Set<String> = [
        // Set by the client's software.
        "accept-charset", "accept-encoding", "accept-language", "dnt", "priority", "sec-ch-ua", "sec-ch-ua-arch",
        "sec-ch-ua-bitness", "sec-ch-ua-full-version", "sec-ch-ua-full-version-list", "sec-ch-ua-mobile",
        "sec-ch-ua-model", "sec-ch-ua-platform", "sec-ch-ua-platform-version", "sec-fetch-dest", "sec-fetch-mode",
        "sec-fetch-site", "sec-fetch-user", "sec-gpc", "te", "upgrade-insecure-requests", "user-agent",
        // Specific to the connection.
        "connection", "content-length", "expect", "forwarded", "host", "http2-settings", "keep-alive",
        "proxy-connection", "trailer", "transfer-encoding", "upgrade", "via", "x-forwarded-for", "x-forwarded-host",
        "x-forwarded-proto",
        // Different for each request.
        "b3", "baggage", "date", "idempotency-key", "sentry-trace", "traceparent", "tracestate", "x-amz-date",
        "x-amzn-trace-id", "x-b3-parentspanid", "x-b3-sampled", "x-b3-spanid", "x-b3-traceid",
        "x-cloud-trace-context", "x-correlation-id", "x-request-id",
        // Dependent on earlier responses, caches and credentials.
        "authorization", "cache-control", "cookie", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "origin", "pragma", "proxy-authorization", "referer",
    ]
}

/// The named values in a request: query items, form items, and members of a JSON object.
struct RequestParameters {
    /// The values of each name, as sorted strings.
    ///
    /// Numbers keep their spelling. All other JSON values except strings are converted to canonical JSON.
    let values: [String: [String]]

    /// Collects the parameters of a request.
    ///
    /// - Complexity: O(*n* log *n*) in the size of the query and the body.
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
    /// A matcher for the recorded parameters: query items, form items, and members of a JSON object.
    ///
    /// A request must contain all recorded parameters, in any of these parts, and may contain others. A recorded
    /// request without parameters therefore matches every request.
    public static let recordedParameters = RequestMatcher("parameters") { requested, recorded in
        let values = RequestParameters(requested).values
        let missing = RequestParameters(recorded).values.filter { values[$0.key] != $0.value }
        let differences = MatchDifference.ofNamedValues(
            "parameter", recorded: missing, requested: values.filter { missing[$0.key] != nil }
        ) { name, value in requested.messages.value(value, named: name) }
        return MatchVerdict(differences: differences)
    }
}
