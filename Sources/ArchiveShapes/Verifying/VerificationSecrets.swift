import HTTPArchive

/// The secrets that replace placeholders of redaction in requests.
package struct VerificationSecrets: Sendable {
    /// The secrets, by normalized name or placeholder.
    private var secrets: [String: String] = [:]

    /// Creates secrets.
    ///
    /// - Parameter secrets: The secrets, by the names of the header fields, parameters, members or cookies with the
    ///   placeholders, or by the placeholders themselves. Case, hyphens and underscores in names are ignored.
    package init(_ secrets: [String: String]) {
        for (name, secret) in secrets { self.secrets[Self.normalized(name)] = secret }
    }

    /// The prefix of environment variables with secrets.
    package static let variablePrefix = "RELAY_SECRET_"

    /// Returns the secrets in environment variables, by name.
    package static func named(in environment: [String: String]) -> [String: String] {
        var secrets: [String: String] = [:]
        for (name, value) in environment where name.hasPrefix(variablePrefix) && !value.isEmpty {
            secrets[String(name.dropFirst(variablePrefix.count))] = value
        }
        return secrets
    }

    private static func normalized(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// Returns the secret for a placeholder, or nil if it is unknown.
    private func secret(for placeholder: String, named names: [String]) -> String? {
        for name in [placeholder] + names {
            if let secret = secrets[Self.normalized(name)] { return secret }
        }
        // `TOKEN` is also the secret for `access_token`.
        return names.lazy.compactMap { name in
            secrets.first { Self.normalized(name).hasSuffix($0.key) && $0.key.count >= 4 }?.value
        }.first
    }

    /// Replaces the placeholders of a request.
    ///
    /// - Parameter request: The request. Cookies whose secret is unknown are removed.
    /// - Returns: The names of the secrets that are missing.
    package func fill(_ request: inout OutgoingRequest) -> [String] {
        var missing: [String] = []
        removeUnknownCookies(of: &request)
        for value in request.values where value.location != .target {
            for placeholder in Self.placeholders(in: value.text) {
                var names = [value.name].compactMap { $0 }
                if value.name == "authorization" { names.append("token") }
                if let secret = secret(for: placeholder, named: names) {
                    insert(secret, for: placeholder, of: value, in: &request)
                } else {
                    missing.append(value.name ?? placeholder)
                }
            }
        }
        return missing
    }

    private func insert(
        _ secret: String, for placeholder: String, of value: OutgoingRequest.Value, in request: inout OutgoingRequest
    ) {
        // The secret can include the scheme, as in `Bearer …`.
        if value.name == "authorization", secret.contains(" "),
            let index = request.headers.firstIndex(where: { $0.name.lowercased() == "authorization" })
        {
            request.headers[index].value = secret
        } else {
            request.replace(at: value.location, placeholder, with: secret)
        }
    }

    private func removeUnknownCookies(of request: inout OutgoingRequest) {
        request.mapCookies { name, value in
            Self.placeholders(in: value).first.map { secret(for: $0, named: [name]) } ?? value
        }
    }

    private static func placeholders(in text: String) -> [String] {
        text.matches(of: #/REDACTED(?:-[0-9a-f]{16})?/#).map { String($0.output) }
    }
}
