import HTTPArchive
import Testing

@Suite(.limited) struct SecretNamesTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-Api-Key", "api_key", "apikey", "apiKey",
        "access_token", "refreshToken", "id_token", "token", "X-CSRF-Token", "auth", "password", "passwd", "pwd",
        "user[password]", "password_confirmation", "secret", "client_secret", "signature", "sig",
        "X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Signature", "X-Amz-Credential", "private_token", "session",
        "sessionid", "PHPSESSID", "JSESSIONID", "code", "otp", "key", "X-Auth-Key", "Ocp-Apim-Subscription-Key",
        "user_pass", "passcode", "pin", "newPin", "pin2", "recoveryCode", "X-Vault-Token", "client_secret", "csrf",
        "accesstoken",
        "dbpassword", "PassWord", "userpasswd", "jsessionid", "data[code]", "config.key", "oauth_signature",
        "tokenValue",
        "password_hash", "csrfmiddlewaretoken", "__RequestVerificationToken", "secret_key_base", "AWSSecretAccessKey",
    ])
    func `names of secrets are recognized`(name: String) {
        #expect(SecretNames.isSecret(name))
    }

    @Test(arguments: [
        "", "Accept", "Content-Type", "User-Agent", "Host", "id", "q", "page", "max_tokens", "status_code",
        "country_code", "author", "keyword", "X-Amz-Date", "X-Amz-SignedHeaders", "monkey", "-_-",
        "secretary", "tokenizer", "keyboard", "passenger", "pinned", "session_count", "token_type", "expires_in",
        "password_length", "passwordResetUrl", "has_pin", "boarding", "compass", "tokentype", "access_token_expires_at",
        "spinning", "authorization_endpoint", "nextPageToken", "Enter your new password here please", "p-w", "passport",
        String(repeating: "a", count: 300) + "password",
    ])
    func `other names are not secret`(name: String) {
        #expect(!SecretNames.isSecret(name))
    }

    /// Names whose values other tools remove, except names that identify people, applications or requests.
    @Test(arguments: [
        // Cloudflare's HAR sanitizer, `defaultWordList`.
        "Authorization", "SAMLResponse", "access_token", "assertion", "auth", "authenticity_token", "client_secret",
        "code", "code_verifier", "id_token", "password", "token",
        // Rails, `filter_parameters`, which compares parts of names.
        "passwd", "password_digest", "secret", "api_key", "ssh_key", "salt", "otp", "ssn", "cvv", "cvc",
        // Django, `hidden_settings`, which compares parts of names.
        "API_TOKEN", "AUTH_TOKEN", "SECRET_KEY", "DATABASE_PASSWORD", "SIGNATURE", "Cookie",
        // OWASP's cheat sheet on logging: session identifiers, connection strings, encryption keys.
        "session_id", "connection_string", "encryption_key", "card_number",
    ])
    func `names that other tools redact are recognized`(name: String) {
        #expect(SecretNames.isSecret(name))
    }

    @Test(arguments: [
        "github_pat", "dd-application-key", "g-recaptcha-response", "cf-turnstile-response", "GITHUB_TOKEN_READONLY",
        "2fa_code", "service_role_key", "wifi_psk",
    ])
    func `names that services use for secrets are recognized`(name: String) {
        #expect(SecretNames.isSecret(name))
    }

    @Test(arguments: [
        "bos_token", "pad_token", "use_auth_token", "no-auth", "include_credentials", "toggle_password", "keyCode",
        "primary_key", "public_key", "cookie_consent", "session_duration", "token_uri", "design_token",
    ])
    func `names of settings are not secret`(name: String) {
        #expect(!SecretNames.isSecret(name))
    }
}
