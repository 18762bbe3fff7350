import Foundation

/// The redaction key that a user has for all archives.
enum UserKey {
    /// The environment variable that has the key of a team, in place of the user's own.
    static let variable = "RELAY_REDACTION_KEY"

    /// The shortest text that the variable may have, in bytes.
    private static let shortestPhrase = 16

    /// The number of bytes of a key.
    private static let size = 32

    /// The key of the file, or of this process alone.
    private static let kept = (try? bytes(keptIn: file)) ?? HARRedactor.Key.randomBytes()

    /// The bytes of the key.
    ///
    /// - Parameter environment: The environment variables; those of the process by default.
    /// - Returns: The bytes.
    /// - Throws: `invalidSetting` when the variable is set and too short.
    static func bytes(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HARError) -> [UInt8] {
        guard let phrase = environment[variable], !phrase.isEmpty else { return kept }
        guard phrase.utf8.count >= shortestPhrase else {
            throw HARError(
                .invalidSetting,
                "The environment variable \(variable) has less than \(shortestPhrase) bytes, which can be guessed; "
                    + "set it to a long random text, such as that of `openssl rand -hex 32`.")
        }
        return HARRedactor.Key.bytes(ofPhrase: phrase)
    }

    /// The key in a file, which is created where there is none.
    ///
    /// The file gets its name when it is complete, and never replaces one that exists: of processes that create it at once,
    /// all get the key of the first.
    ///
    /// - Parameter file: The file.
    /// - Returns: The bytes of the key.
    /// - Throws: `unwritableFile`.
    static func bytes(keptIn file: URL) throws(HARError) -> [UInt8] {
        if let bytes = read(file) { return bytes }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw unwritable(file)
        }
        let bytes = HARRedactor.Key.randomBytes()
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.replacesFile = false
        do {
            let output = try OutputFile(url: file, settings: settings)
            try output.write(bytes)
            try output.finish()
            return bytes
        } catch {
            // Reported below, unless another process has created the file.
        }
        guard let bytes = read(file) else { throw unwritable(file) }
        return bytes
    }

    private static func read(_ file: URL) -> [UInt8]? {
        guard let data = try? Data(contentsOf: file), data.count == size else { return nil }
        return [UInt8](data)
    }

    private static var file: URL {
        #if canImport(Darwin)
            let folder =
                FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory())
        #else
            let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            let folder =
                data.map { URL(fileURLWithPath: $0, isDirectory: true) }
                ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
        #endif
        return folder.appendingPathComponent("relay/redaction.key")
    }

    private static func unwritable(_ file: URL) -> HARError {
        HARError(
            .unwritableFile, "The key for redaction cannot be kept here; placeholders differ from one run to the next.",
            at: .init(file: file.path))
    }
}

/// The regular expressions of a user.
struct UserPatterns: Sendable {
    /// The largest piece of a text that is searched at once, in UTF-16 units.
    private static let chunkSize = 1 << 20

    /// How much of a piece is searched again with the next one.
    private static let overlap = 1 << 12

    private let expressions: [NSRegularExpression]

    /// Whether there are none.
    var isEmpty: Bool { expressions.isEmpty }

    /// Compiles expressions.
    ///
    /// - Throws: `invalidRule` for what is none.
    init(_ patterns: [String]) throws(HARError) {
        var expressions: [NSRegularExpression] = []
        for (index, pattern) in patterns.enumerated() {
            do {
                expressions.append(try NSRegularExpression(pattern: pattern))
            } catch {
                throw HARError(
                    .invalidRule,
                    "The pattern of a secret, number \(index + 1), is no regular expression; see "
                        + "https://unicode-org.github.io/icu/userguide/strings/regexp.html.")
            }
        }
        self.expressions = expressions
    }

    /// Where secrets stand in a text; none in bytes that are no text.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard !isEmpty, let string = String(validating: text, as: UTF8.self) else { return [] }
        let units = NSString(string: string)
        var ranges: [NSRange] = []
        for expression in expressions {
            var start = 0
            while start < units.length {
                let end = min(start + Self.chunkSize, units.length)
                for match in expression.matches(in: string, range: NSRange(location: start, length: end - start)) {
                    let group = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
                    if group.location != NSNotFound, group.length > 0 { ranges.append(group) }
                }
                start = end == units.length ? end : max(start + 1, end - Self.overlap)
            }
        }
        return ranges.compactMap { range in
            guard let range = Range(range, in: string) else { return nil }
            // Native strings know the distance from their start at once.
            return range.lowerBound.encodedOffset(in: string)..<range.upperBound.encodedOffset(in: string)
        }
    }
}

extension String.Index {
    /// The number of bytes of UTF-8 before the place.
    fileprivate func encodedOffset(in string: String) -> Int {
        string.utf8.distance(from: string.startIndex, to: self)
    }
}
