/// The format of an issuer's tokens: a prefix and the characters that follow it.
struct TokenPattern: Sendable {
    /// The kind of secret.
    let kind: SecretKind

    /// The prefix of the token.
    private let start: [UInt8]

    /// The minimum number of characters after the prefix.
    private let least: Int

    /// The maximum number of characters after the prefix, or nil if it is unlimited.
    ///
    /// Longer text is not a token.
    private let most: Int?

    /// The permitted characters after the prefix, in addition to letters, digits and underscores.
    private let marks: [UInt8]

    /// The characters that must occur after the prefix, in this order.
    private let needed: [UInt8]

    /// Whether the prefix is an authentication scheme, which is case-insensitive and not part of the secret.
    private let isScheme: Bool

    /// Whether the prefix is part of a URL rather than the secret.
    private let keepsStart: Bool

    /// Whether the decoded token must be a user name and a password (RFC 7617, section 2).
    private let isUserAndPassword: Bool

    private init(
        _ kind: SecretKind, _ start: String, _ least: Int, most: Int? = nil, marks: String = "",
        needed: String = "", isScheme: Bool = false, keepsStart: Bool = false, isUserAndPassword: Bool = false
    ) {
        self.kind = kind
        self.start = Array(start.utf8)
        self.least = least
        self.most = most
        self.marks = Array(marks.utf8)
        self.needed = Array(needed.utf8)
        self.isScheme = isScheme
        self.keepsStart = keepsStart
        self.isUserAndPassword = isUserAndPassword
    }

    /// The first bytes of a prefix, which are compared before the whole prefix.
    struct Start: Sendable {
        private let bytes: UInt32

        /// The bits to compare, which exclude bytes after the prefix and the case of authentication schemes.
        private let mask: UInt32

        /// The index of the format in ``all``.
        let number: Int

        init(of form: TokenPattern, number: Int) {
            var (bytes, mask): (UInt32, UInt32) = (0, 0)
            for (index, byte) in form.start.prefix(4).enumerated() {
                let bits: UInt8 = form.isScheme ? 0xDF : 0xFF
                bytes |= UInt32(byte & bits) << UInt32(8 * index)
                mask |= UInt32(bits) << UInt32(8 * index)
            }
            self.bytes = bytes
            self.mask = mask
            self.number = number
        }

        /// Returns whether the prefix may begin with the bytes.
        @inline(__always)
        func matches(_ bytes: UInt32) -> Bool { bytes & mask == self.bytes }

        /// Returns the bytes at an offset for ``matches(_:)``.
        static func bytes(in text: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
            if offset &+ 4 <= text.count {
                return UInt32(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            return text[from: offset].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// Whether the prefix of this format occurs at an offset in the text.
    func begins(at offset: Int, in text: UnsafeRawBufferPointer) -> Bool {
        let rest = text[from: offset]
        return isScheme ? startsIgnoringCase(rest) : rest.starts(with: start)
    }

    /// Whether a text begins with the prefix of a token, even if the rest has another length.
    func isPrefix(of text: UnsafeRawBufferPointer) -> Bool {
        !isScheme && !keepsStart && text.count > start.count && text.starts(with: start)
    }

    /// Returns the range of the token at an offset.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The offset of the prefix; see ``begins(at:in:)``.
    ///   - noneBefore: The offset before which no token begins, according to earlier calls. This call may increase it.
    /// - Returns: The range of the secret, or nil if no token begins at the offset.
    func range(in text: UnsafeRawBufferPointer, at offset: Int, noneBefore: inout Int) -> Range<Int>? {
        guard offset >= noneBefore else { return nil }
        let inside = offset + start.count
        let limit = most.map { min(text.count, inside + $0 + 1) } ?? text.count
        var end = inside
        var digits = 0
        while end < limit, text[end].isPartOfWord || marks.contains(text[end]) {
            digits += text[end].isDigit ? 1 : 0
            end += 1
        }
        // If required characters are missing up to this offset, they are also missing in every shorter suffix.
        if most == nil { noneBefore = end }
        if isScheme { while end > inside, text[end - 1] == UInt8(ascii: ".") { end -= 1 } }
        let count = end - inside
        // Random tokens contain digits. Ordinary words after `Bearer` or a prefix do not.
        guard count >= least, count <= most ?? .max, digits > 0 || isUserAndPassword else { return nil }
        let token = text[from: inside, to: end]
        if isUserAndPassword, !Self.isUserAndPassword(token) { return nil }
        if !needed.isEmpty {
            var rest = token[...]
            for mark in needed {
                guard let found = rest.firstIndex(of: mark) else { return nil }
                rest = rest[(found + 1)...]
            }
        }
        return isScheme || keepsStart ? inside..<end : offset..<end
    }

    private static func isUserAndPassword(_ token: UnsafeRawBufferPointer) -> Bool {
        let end = token.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        guard !token[..<end].contains(UInt8(ascii: ".")), !token[..<end].contains(UInt8(ascii: "=")),
            let pair = Base64.decode(token[from: 0, to: end])
        else { return false }
        return pair.contains(UInt8(ascii: ":")) && pair.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private func startsIgnoringCase(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count >= start.count
            && zip(text, start).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 && $1.isPartOfWord }
    }

    /// The prefixes of the formats, ordered by their first byte.
    static let byStart: (starts: [Start], offsets: [Int]) = {
        var starts: [[Start]] = Array(repeating: [], count: 256)
        for (number, form) in all.enumerated() {
            let start = Start(of: form, number: number)
            starts[Int(form.start[0])].append(start)
            if form.isScheme { starts[Int(form.start[0] ^ 0x20)].append(start) }
        }
        let offsets = starts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        return (Array(starts.joined()), offsets)
    }()

    /// The first two bytes of all prefixes; for authentication schemes, in every combination of uppercase and
    /// lowercase.
    static var starts: [(UInt8, UInt8)] {
        all.flatMap { form in
            let differences: [UInt8] = form.isScheme ? [0, 0x20] : [0]
            return differences.flatMap { first in differences.map { (form.start[0] ^ first, form.start[1] ^ $0) } }
        }
    }

    /// The minimum length of a token with its prefix, in bytes.
    static let shortest = all.map { $0.start.count + $0.least }.min() ?? 0

    /// The formats.
    static let all: [TokenPattern] =
        [
            // RFC 7519. The header begins with `{"` and a letter, which is `eyJ` in Base64.
            TokenPattern(.jsonWebToken, "eyJ", 30, marks: ".-=", needed: ".."),
            // RFC 6750, section 2.1.
            TokenPattern(.bearerToken, "Bearer ", 16, marks: "-.~+/=", isScheme: true),
            TokenPattern(.bearerToken, "Bearer%20", 16, marks: "-.~+/=", isScheme: true),
            // RFC 7617, section 2.
            TokenPattern(.basicCredentials, "Basic ", 4, marks: "-+/=", isScheme: true, isUserAndPassword: true),
            TokenPattern(.basicCredentials, "Basic%20", 4, marks: "-+/=", isScheme: true, isUserAndPassword: true),
            TokenPattern(.gitHubToken, "github_pat_", 22),
            TokenPattern(.googleKey, "AIza", 35, most: 35, marks: "-"),
            TokenPattern(.googleKey, "ya29.", 20, marks: "-."), TokenPattern(.googleKey, "GOCSPX-", 24, marks: "-"),
            TokenPattern(.googleKey, "1//0", 30, marks: "-"),
            TokenPattern(.slackToken, "hooks.slack.com/services/", 20, marks: "/", keepsStart: true),
            TokenPattern(.slackToken, "hooks.slack.com/workflows/", 20, marks: "/", keepsStart: true),
            TokenPattern(.slackToken, "hooks.slack.com/triggers/", 20, marks: "/", keepsStart: true),
            // https://core.telegram.org/bots/api#making-requests
            TokenPattern(.serviceToken, "api.telegram.org/bot", 20, marks: ":-%", keepsStart: true),
            TokenPattern(.serviceToken, "api.telegram.org/file/bot", 20, marks: ":-%", keepsStart: true),
            // https://discord.com/developers/docs/resources/webhook#execute-webhook
            TokenPattern(.serviceToken, "discord.com/api/webhooks/", 20, marks: "/-", keepsStart: true),
            TokenPattern(.serviceToken, "discordapp.com/api/webhooks/", 20, marks: "/-", keepsStart: true),
            TokenPattern(.serviceToken, "webhooks/", 40, marks: "/-", needed: "/", keepsStart: true),
            TokenPattern(.serviceToken, "interactions/", 60, marks: "/-", needed: "/", keepsStart: true),
            // The same paths on other hosts, such as proxies.
            TokenPattern(.serviceToken, "bot", 36, marks: ":-", needed: ":", keepsStart: true),
            TokenPattern(.slackToken, "services/T", 30, marks: "/", needed: "//", keepsStart: true),
            TokenPattern(.serviceToken, "hooks.zapier.com/hooks/catch/", 12, marks: "/-", keepsStart: true),
            TokenPattern(.serviceToken, "webhook.office.com/webhookb2/", 40, marks: "/-@", keepsStart: true),
            TokenPattern(.serviceToken, "outlook.office.com/webhook/", 40, marks: "/-@", keepsStart: true),
            TokenPattern(.stripeKey, "whsec_", 24, marks: "+/="),
            TokenPattern(.serviceToken, "glpat-", 20, marks: "-"), TokenPattern(.serviceToken, "npm_", 36, most: 36),
            TokenPattern(.serviceToken, "pypi-", 50, marks: "-"),
            TokenPattern(.serviceToken, "SG.", 40, marks: "-.", needed: "."),
            TokenPattern(.serviceToken, "sk-ant-", 20, marks: "-"),
            TokenPattern(.serviceToken, "sk-proj-", 20, marks: "-"),
            TokenPattern(.serviceToken, "sk-", 32, marks: "-"), TokenPattern(.serviceToken, "shpat_", 32, most: 32),
            TokenPattern(.serviceToken, "hf_", 34, most: 40), TokenPattern(.serviceToken, "dop_v1_", 64, most: 64),
        ] + ["AKIA", "ASIA", "ABIA", "ACCA"].map { TokenPattern(.awsKey, $0, 16, most: 16) }
        + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { TokenPattern(.gitHubToken, $0, 36) }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"].map {
            TokenPattern(.slackToken, $0, 10, marks: "-.")
        } + ["sk_live_", "sk_test_", "rk_live_", "rk_test_"].map { TokenPattern(.stripeKey, $0, 16) }
}
