import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct TextTests {
    private static let parts = [
        "a", "plain text ", "é", "e\u{301}", "日本語", "ひらがな", "カ\u{3099}", "한국어", "\u{1100}\u{1161}\u{11A8}", "👩‍👩‍👧",
        "❤\u{FE0F}",
        "🇩🇪", "\t", "\r\n", "\u{1B}[2J", "\u{202E}", "\u{AD}", "—", "…", "€", "\u{FFFD}", "〰\u{FE0F}", "、。", "ไทย",
        "\u{0}",
    ]

    @Test func `replaces exactly the characters that control a terminal`() {
        for value in UInt32(0)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a€\(scalar)\n"
            #expect(text.withoutControls == (scalar.controlsTerminal ? "a€\u{FFFD}\n" : text), "\(value)")
        }
    }

    @Test(arguments: 1...12)
    func `shortened text equals the start of the whole text`(width: Int) {
        for first in Self.parts {
            for second in Self.parts {
                for third in ["", "x", "語", "\u{301}"] {
                    let text = first + second + third
                    #expect(
                        text.printable(upTo: width) == text.printable.truncated(to: width), "\(text.debugDescription)")
                }
            }
        }
    }
}
