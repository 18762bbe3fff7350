/// The form of the tokens of one maker: how they begin, and what follows.
struct TokenPattern: Sendable {
    /// What the token is.
    let kind: SecretKind

    /// Its place among all forms.
    private(set) var number = 0

    /// What the token begins with.
    private let start: [UInt8]

    /// The smallest number of characters that follow.
    private let least: Int

    /// The largest one, beyond which it is something else; `nil` for any.
    private let most: Int?

    /// The other characters that follow than letters, digits and underscores.
    private let marks: [UInt8]

    /// The characters that must be among those that follow.
    private let needed: [UInt8]

    /// Whether the case of what it begins with does not matter, and that is no part of the secret.
    private let isScheme: Bool

    private init(
        _ kind: SecretKind, _ start: String, _ least: Int, most: Int? = nil, marks: String = "",
        needed: String = "", isScheme: Bool = false
    ) {
        self.kind = kind
        self.start = Array(start.utf8)
        self.least = least
        self.most = most
        self.marks = Array(marks.utf8)
        self.needed = Array(needed.utf8)
        self.isScheme = isScheme
    }

    /// Whether at a place of a text stands what tokens of this form begin with.
    func begins(at offset: Int, in text: UnsafeRawBufferPointer) -> Bool {
        let rest = text[from: offset]
        return isScheme ? startsIgnoringCase(rest) : rest.starts(with: start)
    }

    /// Where a token of this form stands.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The place, at which it ``begins(at:in:)``.
    ///   - noneBefore: The place before which there is none, as an earlier call has found; it is moved on.
    /// - Returns: The place of the secret; `nil` where there is none.
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
        // What the characters up to there lack, fewer of them lack too.
        if most == nil { noneBefore = end }
        if isScheme { while end > inside, text[end - 1] == UInt8(ascii: ".") { end -= 1 } }
        let count = end - inside
        // A token that is random has digits; words after `Bearer` or a prefix have none.
        guard count >= least, count <= most ?? .max, digits > 0 else { return nil }
        let token = text[from: inside, to: end]
        if !needed.isEmpty {
            var rest = token[...]
            for mark in needed {
                guard let found = rest.firstIndex(of: mark) else { return nil }
                rest = rest[(found + 1)...]
            }
        }
        return isScheme ? inside..<end : offset..<end
    }

    private func startsIgnoringCase(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count >= start.count
            && zip(text, start).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 && $1.isPartOfWord }
    }

    /// The forms by the byte that they begin with.
    static let byStart: [[TokenPattern]] = {
        var forms: [[TokenPattern]] = Array(repeating: [], count: 256)
        for (number, form) in all.enumerated() {
            var form = form
            form.number = number
            forms[Int(form.start[0])].append(form)
            if form.isScheme { forms[Int(form.start[0] ^ 0x20)].append(form) }
        }
        return forms
    }()

    /// The number of forms.
    static var count: Int { all.count }

    private static let all: [TokenPattern] =
        [
            // RFC 7519; the header of every JSON Web Token begins with a brace and a quotation mark.
            TokenPattern(.jsonWebToken, "eyJ", 30, marks: ".-=", needed: ".."),
            // RFC 6750, section 2.1.
            TokenPattern(.bearerToken, "Bearer ", 16, marks: "-.~+/=", isScheme: true),
            TokenPattern(.bearerToken, "Bearer%20", 16, marks: "-.~+/=", isScheme: true),
            TokenPattern(.gitHubToken, "github_pat_", 22),
            TokenPattern(.googleKey, "AIza", 35, most: 35, marks: "-"),
            TokenPattern(.googleKey, "ya29.", 20, marks: "-."), TokenPattern(.googleKey, "GOCSPX-", 24, marks: "-"),
            TokenPattern(.googleKey, "1//0", 30, marks: "-"),
            TokenPattern(.slackToken, "https://hooks.slack.com/services/", 20, marks: "/"),
            TokenPattern(.slackToken, "hooks.slack.com/services/", 20, marks: "/"),
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
