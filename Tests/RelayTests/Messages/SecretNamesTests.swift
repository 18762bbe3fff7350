import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct SecretNamesTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-Api-Key", "api_key", "apikey", "apiKey",
        "access_token", "refreshToken", "id_token", "token", "X-CSRF-Token", "auth", "password", "passwd", "pwd",
        "user[password]", "password_confirmation", "secret", "client_secret", "signature", "sig",
        "X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Signature", "X-Amz-Credential", "private_token", "session",
        "sessionid", "PHPSESSID", "JSESSIONID", "code", "otp", "key", "X-Auth-Key", "Ocp-Apim-Subscription-Key",
    ])
    func `the value of this name is a secret`(name: String) {
        #expect(SecretNames.isSecret(name))
    }

    @Test(arguments: [
        "", "Accept", "Content-Type", "User-Agent", "Host", "id", "q", "page", "max_tokens", "status_code",
        "country_code", "author", "keyword", "X-Amz-Date", "X-Amz-SignedHeaders", "monkey", "-_-",
        String(repeating: "a", count: 300) + "password",
    ])
    func `the value of this name is not a secret`(name: String) {
        #expect(!SecretNames.isSecret(name))
    }

    @Test(arguments: [
        ("https://a.b/c?d=e#f", "https://a.b/c?d=e#f"),
        ("https://user:pw@a.b/c", "https://a.b/c"), ("https://u:p@ss@a.b:80?x", "https://a.b:80?x"),
        ("//user@a.b/c", "//a.b/c"), ("user:pw@a.b/c", "a.b/c"), ("https://a.b/c@d?e=f@g", "https://a.b/c@d?e=f@g"),
        ("https://a.b/?token=x&y=z", "https://a.b/?token=•••&y=z"), ("?Api-Key=1", "?Api-Key=•••"),
        ("https://a.b/?y=z&pass%77ord=a=b;c?d", "https://a.b/?y=z&pass%77ord=•••"),
        ("https://a.b/?token&token=&&=", "https://a.b/?token&token=&&="),
        ("https://a.b/?a=1;sig=2&b=%zz%", "https://a.b/?a=1;sig=•••&b=%zz%"),
        ("https://a.b/#access_token=x&state=y", "https://a.b/#access_token=•••&state=y"),
        ("https://a.b/#/sign/in?code=x#y", "https://a.b/#/sign/in?code=•••"),
        ("https://a.b/?to=https://c/?token=x&d=e", "https://a.b/?to=https://c/?token=•••&d=e"),
        ("https://a.b/?d=\u{301}&\u{301}token=1&sig=\u{301}é", "https://a.b/?d=\u{301}&\u{301}token=•••&sig=•••"),
        ("", ""), ("://", "://"), ("@", ""), ("https://@", "https://"),
    ])
    func `a masked URL has no user info and no secrets, and is otherwise unchanged`(url: String, masked: String) {
        #expect(Array(SecretNames.masked(url: url).utf8) == Array(masked.utf8))
    }

    @Test(arguments: ["=", "&", "?", ";", "%", "/", "a=", "token", "#", "@", "\u{301}", "=token"])
    func `long URLs are masked in linear time`(piece: String) {
        let url = "https://a.b/?" + String(repeating: piece, count: (1 << 15) / piece.utf8.count)
        #expect(SecretNames.masked(url: url).utf8.starts(with: "https://a.b/?".utf8))
    }
}
