import HTTPArchive
import Testing

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
}
