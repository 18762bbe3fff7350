import Foundation
import HTTPArchive

extension PlantPlace {
    /// Returns a location in the URL of requests.
    private static func url(
        _ name: String, _ syntax: PlantSyntax = .form, _ encoding: PlantEncoding = .plain, batch: Int = 1000,
        _ url: @escaping @Sendable (String) -> String
    ) -> PlantPlace {
        PlantPlace(
            name: "\(name)", encoding: encoding, alphabet: syntax.alphabet, permits: syntax.permits, batch: batch,
            part: .request
        ) { plants in .changed { $0.request.url = url(encoding.encode(syntax.text(plants))) } }
    }

    /// Returns a location in a query item, either in the URL or in `queryString`.
    private static func item(_ syntax: PlantSyntax, _ encoding: PlantEncoding, isList: Bool) -> PlantPlace {
        PlantPlace(
            name: isList ? "queryString, \(syntax.name)" : "query, \(syntax.name)", encoding: encoding,
            alphabet: syntax.alphabet, permits: syntax.permits, part: .request
        ) { plants in
            .changed { entry in
                let text = encoding.encode(syntax.text(plants))
                if isList {
                    entry.request.queryString = [HAR.QueryParameter(name: "page", value: text)]
                } else {
                    entry.request.url = "https://a.test/a?tab=1&page=\(text.percentEncoded)&n=2"
                }
            }
        }
    }

    private static func segment(_ name: String, _ url: @escaping @Sendable (String) -> String) -> [PlantPlace] {
        let value = { @Sendable (plant: Plant) in
            (plant.value.filter { $0.isLetter || $0.isNumber } + "aB3dE5fG7hJ9kL2mN4pQ6rS8t").prefix(35) + "x"
        }
        let place = { (suffix: String, part: Part, entry: @escaping @Sendable (String) -> HAR.Entry) in
            PlantPlace(
                name: "path of \(name)\(suffix)", alphabet: .token,
                permits: {
                    !["cvv", "otp", "otpCode", "totp", "pin", "mfa_code", "verification_code", "securityCode"].contains(
                        $0)
                },
                batch: 1, hasDecoys: false, isExact: false, hasAmbiguousNames: false, part: part
            ) { plants in entry(url(plants.map { String(value($0)) }.joined())) }
        }
        return [
            place("", .request) { url in .changed { $0.request.url = url } },
            place(" in JSON", .response) { url in
                .changed {
                    $0.response.content = HAR.Content(
                        size: nil, mimeType: "application/json", text: "{\"n\":1,\"hook\":\(url.quotedAsJSON)}")
                }
            },
            place(" in a query", .request) { url in
                .changed { $0.request.url = "https://a.test/?to=\(url.percentEncoded)&n=1" }
            },
        ]
    }

    /// The locations in URLs of requests and redirects.
    static let urls: [PlantPlace] =
        [
            url("query") { "https://a.test/a/b?tab=1&\($0)&n=2" },
            PlantPlace(name: "query with semicolons", hasDecoys: false, isExact: false, part: .request) { plants in
                .changed {
                    $0.request.url = "https://a.test/a?n=1;" + PlantSyntax.query(plants).replacing("&", with: ";")
                }
            },
            url("query with brackets", .formWithBrackets) { "https://a.test/a?\($0)" },
            url("query of a relative URL") { "/a/b?\($0)" }, url("fragment") { "https://a.test/#\($0)" },
            url("route in a fragment") { "https://a.test/#/sign/in?\($0)&n=2" },
            url("matrix parameters") { "https://a.test/a/b;n=1;" + $0.replacing("&", with: ";") + "/c?tab=1" },
            url("matrix parameters at the end") { "https://a.test/a;" + $0.replacing("&", with: ";") },
            PlantPlace(name: "password in the URL", batch: 1, hasDecoys: false, part: .request) { plants in
                .changed { $0.request.url = "https://ann:\(plants.map(\.value.percentEncoded).joined())@a.test/x?n=1" }
            },
            PlantPlace(name: "password in a Referer", batch: 1, hasDecoys: false, part: .request) { plants in
                .changed {
                    let url = "https://ann:\(plants.map(\.value.percentEncoded).joined())@a.test/x?n=1"
                    $0.request.headers = [HAR.Header(name: "Referer", value: url)]
                }
            },
            PlantPlace(name: "password of a database in text", batch: 1, hasDecoys: false, part: .response) { plants in
                .changed {
                    let url = "postgres://ann:\(plants.map(\.value.percentEncoded).joined())@db.test:5432/shop"
                    $0.response.content = HAR.Content(
                        size: nil, mimeType: "text/plain", text: "Cannot connect to \(url).")
                }
            },
            PlantPlace(name: "queryString", part: .request) { plants in
                .changed {
                    $0.request.queryString = plants.map { HAR.QueryParameter(name: $0.name, value: $0.value) }
                }
            },
            PlantPlace(name: "queryString, percent-encoded", part: .request) { plants in
                .changed {
                    $0.request.queryString = plants.map {
                        HAR.QueryParameter(name: $0.name.percentEncoded, value: $0.value.percentEncoded)
                    }
                }
            },
        ]
        + [PlantSyntax.relativeURL, .absoluteURL, .fragmentURL, .routeURL, .matrixURL, .schemelessURL].map { syntax in
            PlantPlace(name: "redirectURL, \(syntax.name)", alphabet: syntax.alphabet, part: .response) { plants in
                .changed { $0.response.redirectURL = syntax.text(plants) }
            }
        }
        + [
            PlantSyntax.relativeURL, .absoluteURL, .fragmentURL, .routeURL, .matrixURL, .schemelessURL, .nestedURL,
            .json, .form,
        ]
        .flatMap { syntax in
            [
                item(syntax, .plain, isList: false), item(syntax, .percent, isList: false),
                item(syntax, .plain, isList: true), item(syntax, .percent, isList: true),
            ]
        }
        + [PlantSyntax.relativeURL, .json, .form, .jsonLists[0]].flatMap { syntax in
            [
                item(syntax, .base64, isList: false), item(syntax, .base64URL, isList: false),
                item(syntax, .base64, isList: true),
            ]
        } + [item(.jsonLists[0], .plain, isList: false), item(.jsonLists[0], .plain, isList: true)]
        + segment("Telegram") { "https://api.telegram.org/bot123456789:\($0)/sendMessage?chat_id=7" }
        + segment("Slack") { "https://hooks.slack.com/services/T0AB1CD2E/B0FG3HI4J/\($0)" }
        + segment("Discord") { "https://discord.com/api/webhooks/123456789012345678/\($0)" }
        + segment("a reset link") { "https://a.test/account/password_reset/\($0)?lang=en" }
        + segment("an invitation") { "https://a.test/invite/\($0)/" }
        + segment("a relative link") { "/verify-email/42/\($0)" }
        + segment("Discord's former host") { "https://discordapp.com/api/v10/webhooks/123456789012345678/\($0)/slack" }
}
