import CPlatform
package import Foundation

extension NSRegularExpression {
    /// The number of reports of progress after which a search fails, in addition to the reports of a simple search: one for
    /// each character, and one for each 100 characters.
    ///
    /// ICU reports progress before each attempt to match, and after each 10,000 saved states, which take about 0.4 ms. A
    /// simple search saves at most 100 states for each character.
    private static let reportLimit = 500

    /// The number of consecutive reports whose time is measured, which is a power of two.
    private static let windowSize = 4096

    /// The processor time for ``windowSize`` reports after which a search fails, in nanoseconds.
    ///
    /// The number of reports does not limit the work in a long text, because the two kinds cannot be distinguished, and
    /// because loops in atomic groups save no states. 4096 attempts to match usually take 1 ms, and as many reports after
    /// saved states take 1.6 s. The time of other threads and of the closure does not count.
    private static let windowLimit: UInt64 = 500_000_000

    /// The processor time after which a search fails, in nanoseconds, in addition to 5 microseconds for each character.
    private static let timeLimit: UInt64 = 10_000_000_000

    /// Calls a closure with each match in a text, in order.
    ///
    /// This is the only search for regular expressions from users, because a search for an expression such as `(a+)+$` can
    /// take exponential time.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - range: The range to search, in UTF-16 code units; the whole text by default.
    ///   - limit: The processor time after which the search fails, in nanoseconds; by default, no time in addition to the
    ///     limits of all searches.
    ///   - name: The description of the expression at the start of an error message.
    ///   - body: A closure that receives a match and returns whether to continue.
    /// - Throws: `limitExceeded` if the search takes too much work or memory, possibly after some matches.
    package func forEachMatch(
        in text: String, range: NSRange? = nil, within limit: UInt64 = .max, named name: @autoclosure () -> String,
        _ body: (NSTextCheckingResult) -> Bool
    ) throws(HARError) {
        let range = range ?? NSRange(location: 0, length: text.utf16.count)
        let progress = MatchingFlags.progress.rawValue
        var last = processors_thread_time()
        var end = last + min(limit, Self.timeLimit + UInt64(range.length) * 5000)
        let windowSize = limit == .max ? Self.windowSize : 1
        var rest = range.length + range.length / 100 + Self.reportLimit
        var hasFailed = false
        // On Linux, the closure counts as escaping.
        withoutActuallyEscaping(body) { body in
            enumerateMatches(in: text, options: [.reportProgress, .reportCompletion], range: range) {
                match, flags, stop in
                // In a debug build, most of the time is spent here.
                if flags.rawValue == progress {
                    rest &-= 1
                    guard rest & (windowSize - 1) == 0 || rest < 0 else { return }
                    let now = processors_thread_time()
                    hasFailed = rest < 0 || now > end || now - last > Self.windowLimit
                    last = now
                } else if flags.contains(.internalError) {
                    hasFailed = true
                } else if let match {
                    let start = processors_thread_time()
                    if !body(match) { stop.pointee = true }
                    let time = processors_thread_time() - start
                    (last, end) = (last + time, end + time)
                }
                if hasFailed { stop.pointee = true }
            }
        }
        guard hasFailed else { return }
        throw HARError(
            .limitExceeded,
            "\(name()) needs too much time or memory for a text of \(text.utf8.count) bytes. Use an expression with fewer "
                + "repetitions.")
    }
}
