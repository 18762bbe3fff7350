import Foundation
import Synchronization

/// The user's redaction key, which applies to all archives.
enum UserKey {
    /// The environment variable for a key that a team shares, which takes precedence over the user's own key.
    static let variable = "RELAY_REDACTION_KEY"

    /// The minimum length of the variable's value, in bytes.
    private static let shortestPhrase = 16

    /// The length of a key, in bytes.
    private static let size = 32

    /// The key from the file, or a random key for this process if the file cannot be used.
    private static let cached = (try? bytes(keptIn: file)) ?? HARRedactor.Key.randomBytes()

    /// Returns the bytes of the key.
    ///
    /// - Parameter environment: The environment variables; the process's environment by default.
    /// - Returns: The bytes.
    /// - Throws: `invalidSetting` if the variable is set but too short.
    static func bytes(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HARError) -> [UInt8] {
        guard let phrase = environment[variable], !phrase.isEmpty else { return cached }
        guard phrase.utf8.count >= shortestPhrase else {
            throw HARError(
                .invalidSetting,
                "The value of the environment variable \(variable) is shorter than \(shortestPhrase) bytes and could "
                    + "be guessed. Set it to a long random string, such as the output of `openssl rand -hex 32`.")
        }
        return HARRedactor.Key.bytes(ofPhrase: phrase)
    }

    /// Returns the key stored in a file, creating the file if necessary.
    ///
    /// The file appears under its name only once it is complete, and it never replaces an existing file. If several
    /// processes create it at the same time, all of them therefore use the same key.
    ///
    /// - Parameter file: The file.
    /// - Returns: The bytes of the key.
    /// - Throws: `unwritableFile` if the file cannot be created.
    static func bytes(keptIn file: URL) throws(HARError) -> [UInt8] {
        if let bytes = read(file) { return bytes }
        let bytes = HARRedactor.Key.randomBytes()
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.replacesFile = false
        do {
            try FileSystemCalls.current.createFolders(file.deletingLastPathComponent(), mode: 0o700)
            let output = try OutputFile(url: file, settings: settings)
            try output.write(bytes)
            try output.finish()
            return bytes
        } catch {
            // The error is reported below, unless another process has created the file.
        }
        guard let bytes = read(file) else {
            throw HARError(
                .unwritableFile,
                "The redaction key cannot be stored in this file, so placeholders will differ between runs. Make its "
                    + "folder writable, or set the environment variable \(variable).",
                at: .init(file: file.path))
        }
        return bytes
    }

    private static func read(_ file: URL) -> [UInt8]? {
        guard let data = try? Data(contentsOf: file), data.count == size else { return nil }
        return [UInt8](data)
    }

    private static var file: URL { UserFolder.data.appendingPathComponent("relay/redaction.key") }
}

/// The user's regular expressions.
struct UserPatterns: Sendable {
    /// The length of the chunks in which long text is searched, in UTF-16 code units.
    private static let chunkSize = 1 << 20

    /// The overlap of consecutive chunks, in UTF-16 code units.
    private static let overlap = 1 << 12

    private var expressions: [NSRegularExpression] = []
    private let failed = Failure()

    /// The error of a search.
    private final class Failure: Sendable { let error = Mutex<HARError?>(nil) }

    /// The error of the first search that took too much work, or nil if all searches succeeded.
    ///
    /// From then on, every text counts as a secret.
    var failure: HARError? { failed.error.withLock { $0 } }

    /// Whether there are no expressions.
    var isEmpty: Bool { expressions.isEmpty }

    /// Creates an empty set of expressions.
    init() {}

    /// Compiles regular expressions.
    ///
    /// - Throws: `invalidRule` if a pattern is not a valid regular expression.
    init(_ patterns: [String]) throws(HARError) {
        for (index, pattern) in patterns.enumerated() {
            do {
                expressions.append(try NSRegularExpression(pattern: pattern))
            } catch {
                throw HARError(
                    .invalidRule,
                    "Pattern \(index + 1) for secrets is not a valid regular expression; see "
                        + "https://unicode-org.github.io/icu/userguide/strings/regexp.html.")
            }
        }
    }

    /// Returns the byte ranges of secrets in text, or no ranges if the bytes are not valid UTF-8.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard !isEmpty, let string = String(validating: text, as: UTF8.self) else { return [] }
        guard failure == nil else { return [0..<text.count] }
        let length = string.utf16.count
        var ranges: [NSRange] = []
        do throws(HARError) {
            for (index, expression) in expressions.enumerated() {
                var start = 0
                while start < length {
                    let end = min(start + Self.chunkSize, length)
                    let range = NSRange(location: start, length: end - start)
                    try expression.forEachMatch(in: string, range: range, named: "Pattern \(index + 1) for secrets") {
                        let group = $0.numberOfRanges > 1 ? $0.range(at: 1) : $0.range
                        if group.location != NSNotFound, group.length > 0 { ranges.append(group) }
                        return true
                    }
                    start = end == length ? end : max(start + 1, end - Self.overlap)
                }
            }
        } catch {
            failed.error.withLock { $0 = $0 ?? error }
            return [0..<text.count]
        }
        return ranges.compactMap { range in
            guard let range = Range(range, in: string) else { return nil }
            // For native strings, computing the distance from the start takes constant time.
            return range.lowerBound.encodedOffset(in: string)..<range.upperBound.encodedOffset(in: string)
        }
    }
}

extension String.Index {
    /// The number of UTF-8 bytes before the index.
    fileprivate func encodedOffset(in string: String) -> Int {
        string.utf8.distance(from: string.startIndex, to: self)
    }
}
