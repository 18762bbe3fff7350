package import Foundation
import HTTPArchive

extension URL {
    /// Creates a URL from text in an archive or header field.
    ///
    /// The text may contain characters that are invalid in a URL.
    ///
    /// Invalid characters are percent-encoded, and all other characters are unchanged. Foundation's lenient parser
    /// would also encode the percent signs of existing escape sequences.
    ///
    /// - Parameters:
    ///   - text: An absolute or relative URL; surrounding whitespace is ignored.
    ///   - base: The base of a relative URL, or nil (the default) for none.
    package init?(text: String, relativeTo base: URL? = nil) {
        let url = LiteralURL(text.trimming(.whitespacesAndNewlines))
        // The host is not encoded, because brackets are valid there and Foundation converts non-ASCII letters.
        let start = url.hasAuthority ? url.beforeUser + url.user + url.authority : ""
        let rest = url.withoutFragment.utf8.dropFirst(start.utf8.count)
        var legal = start + PercentEncoding.encoded(Substring(rest), keeping: .urlPart, keepsEscapes: true)
        if !url.fragment.isEmpty {
            // The first number sign starts the fragment. Any others are part of it.
            legal += "#" + PercentEncoding.encoded(url.fragment.dropFirst(), keeping: .urlPart, keepsEscapes: true)
        }
        self.init(string: String(legal), relativeTo: base)
    }
}
