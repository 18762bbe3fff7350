import Foundation
import HTTPArchive

/// The header fields of responses that are compared, and the parts of their values.
///
/// Fields that proxies, caches and connections add or change are ignored.
enum ResponseFields {
    /// The names of fields that depend on the connection, the time, or proxies.
    static let ignored: Set = [
        "accept-ranges", "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding",
        "content-length", "content-md5", "date", "etag", "expires", "keep-alive", "last-modified", "nel", "report-to",
        "reporting-endpoints", "server", "server-timing", "set-cookie", "timing-allow-origin", "trailer",
        "transfer-encoding", "vary", "via", "x-amz-cf-id", "x-amz-cf-pop", "x-amz-request-id", "x-amzn-requestid",
        "x-amzn-trace-id", "x-cache", "x-cache-hits", "x-cdn", "x-correlation-id", "x-envoy-upstream-service-time",
        "x-firefox-spdy", "x-powered-by", "x-request-id", "x-runtime", "x-served-by", "x-timer", "x-trace-id",
        "x-varnish", "x-xss-protection",
    ]

    /// The compared fields of a response: the names in lowercase, and the values.
    ///
    /// Each cookie and each relation of a link is a separate field.
    ///
    /// - Parameter response: The response.
    /// - Returns: The fields; empty values for those whose presence is compared only. A name can occur several times.
    static func fields(of response: HAR.Response) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for header in response.headers {
            let name = header.name.lowercased()
            switch name {
            case "set-cookie":
                for line in header.value.split(separator: "\n") {
                    fields.append(("set-cookie: " + line.prefix { $0 != "=" }, ""))
                }
            case "link":
                for relation in relations(in: header.value) { fields.append(("link: " + relation, "")) }
            case "location": fields.append((name, location(header.value)))
            case "content-type":
                guard let type = MediaType(header.value) else { continue }
                fields.append((name, type.essence + (type.charset.map { "; charset=" + $0.lowercased() } ?? "")))
            case "www-authenticate": fields.append((name, String(header.value.prefix { $0 != " " }).lowercased()))
            case "cache-control": fields.append((name, directives(of: header.value)))
            case "allow", "access-control-allow-methods", "access-control-allow-headers":
                fields.append((name, list(header.value)))
            case "access-control-allow-origin", "access-control-allow-credentials", "content-language",
                "x-content-type-options", "x-frame-options", "deprecation", "referrer-policy":
                fields.append((name, header.value.lowercased()))
            case _ where ignored.contains(name) || name.hasPrefix(":") || name.hasPrefix("x-amz-"): break
            default: fields.append((name, ""))
            }
        }
        return fields
    }

    private static func relations(in value: String) -> [String] {
        value.matches(of: #/rel\s*=\s*"?([A-Za-z0-9-]+)/#).map { $0.1.lowercased() }
    }

    /// The path of a URL as a template, and its host if it has one.
    private static func location(_ value: String) -> String {
        let url = LiteralURL(value)
        return url.host + PathTemplate.template(url.path)
    }

    /// The names of cache directives, such as `max-age`, without their values.
    private static func directives(of value: String) -> String {
        let names = value.lowercased().split(separator: ",").map { $0.prefix { $0 != "=" }.trimming(.whitespaces) }
        return names.sorted().joined(separator: ", ")
    }

    private static func list(_ value: String) -> String {
        value.lowercased().split(separator: ",").map { $0.trimming(.whitespaces) }.sorted().joined(separator: ", ")
    }
}
