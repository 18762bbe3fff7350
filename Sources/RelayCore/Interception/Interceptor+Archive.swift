public import Foundation
public import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that responds from an archive on disk.
    ///
    /// Opening the archive reads the whole file, unless an archive index is available; see ``Configuration/index``.
    /// Entries are read when they are requested. Up to a few megabytes of small responses are cached.
    ///
    /// - Parameters:
    ///   - url: The HAR file.
    ///   - configuration: The settings; defaults if omitted.
    /// - Throws: `unreadableFile`, `malformedJSON`, `notAnArchive` or `limitExceeded`.
    /// - Complexity: O(*n*) in the size of the file.
    public convenience init(archive url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        try self.init(archives: [url], configuration: configuration)
    }

    /// Creates an interceptor that responds from several archives on disk.
    ///
    /// Each archive is opened as described for ``init(archive:configuration:)``.
    ///
    /// - Parameters:
    ///   - urls: The HAR files, in order of precedence. Each request is answered from the first file that has a match.
    ///   - configuration: The settings for all archives; defaults if omitted.
    /// - Throws: `unreadableFile`, `malformedJSON`, `notAnArchive` or `limitExceeded`.
    /// - Complexity: O(*n*) in the size of the files.
    public convenience init(archives urls: [URL], configuration: Configuration = Configuration()) throws(HARError) {
        var archives: [ReplaySource] = []
        for url in urls {
            let archive = try HARArchive(
                contentsOf: url, configuration: configuration.reader, index: configuration.index)
            archives.append(ReplaySource(of: archive))
        }
        let name = urls.map(\.lastPathComponent).joined(separator: ", ")
        self.init(name: name, playing: archives, configuration: configuration)
    }

    /// Creates an interceptor that responds from open archives.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence. Each request is answered from the first archive that has a
    ///     match.
    ///   - configuration: The settings for all archives; defaults if omitted.
    /// - Complexity: O(*n*) in the number of entries.
    public convenience init(playing archives: [HARArchive], configuration: Configuration = Configuration()) {
        let name = archives.map(\.url.lastPathComponent).joined(separator: ", ")
        self.init(name: name, playing: archives.map { ReplaySource(of: $0) }, configuration: configuration)
    }

    /// Creates an interceptor that responds from entries in memory.
    ///
    /// - Parameters:
    ///   - entries: The entries. Repeated requests use them in this order.
    ///   - name: The name of the entries in error messages; `entries in memory` by default.
    ///   - folder: The folder that contains the body files of the entries, or nil (the default) if no bodies are in
    ///     files.
    ///   - failures: Errors to deliver in place of recorded responses, by entry index; none by default. A HAR archive
    ///     can describe network errors, but not errors defined by a program.
    ///   - configuration: The settings; defaults if omitted.
    public convenience init(
        entries: [HAR.Entry], name: String = "entries in memory", folder: URL? = nil,
        failures: [Int: any Error] = [:], configuration: Configuration = Configuration()
    ) {
        self.init(
            entries: entries, name: name, folder: folder, failures: failures, recordingInto: nil,
            configuration: configuration)
    }

    /// Creates an interceptor that has no archive and responds only according to rules.
    ///
    /// - Parameters:
    ///   - name: The name of the interceptor in messages; `interceptor` by default.
    ///   - configuration: The settings; defaults if omitted.
    public convenience init(name: String = "interceptor", configuration: Configuration = Configuration()) {
        self.init(name: name, playing: [], configuration: configuration)
    }

    /// Creates an interceptor that responds from archives in order of precedence.
    package convenience init(name: String, playing archives: [ReplaySource], configuration: Configuration) {
        self.init(
            name: name, archives: ArchiveLayers(archives, configuration: configuration), configuration: configuration)
    }

    /// The entries used so far, and the requests without a match.
    ///
    /// - Complexity: O(*n*) in the number of requests with bodies, because their bodies are compared with the entries.
    public var report: ReplayReport { archives.report }

    /// The archive files, and the entries of each that were used so far.
    package var usedEntries: [(archive: HARArchive, indices: IndexSet)] {
        archives.players.compactMap { player in player.entries.archive.map { ($0, player.used.indices) } }
    }

    /// The rules that have not affected any request so far, in the order in which they were added.
    public var unusedRules: [Rule] { rules.unused }

    /// Returns the pattern of a rule as it appears in messages.
    package func text(of rule: Rule) -> String { archives.messages.text(rule.pattern.description) }
}

extension ArchiveLayers {
    /// Creates layers of archives with the settings of an interceptor.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence.
    ///   - configuration: The settings of all archives.
    ///   - page: The page whose entries are preferred among equally good matches, or nil (the default) for no
    ///     preference.
    convenience init(_ archives: [ReplaySource], configuration: Interceptor.Configuration, page: String? = nil) {
        self.init(
            archives, plan: MatchingPlan(configuration.matching, page: page),
            redaction: configuration.recording.redaction,
            deliversMissingBodiesAsEmpty: configuration.deliversMissingBodiesAsEmpty,
            movedDates: configuration.movedDates, advice: configuration.missAdvice)
    }
}

extension Interceptor {
    /// Compares a request with all entries of the archives.
    ///
    /// The entries are not marked as used.
    ///
    /// - Parameter request: The request.
    /// - Returns: An explanation of why each entry matches or does not match.
    /// - Complexity: O(*n*) in the number of entries, because all entries are read.
    public func explanation(of request: InterceptedRequest) -> MatchExplanation {
        answering.archives.explanation(of: request)
    }

    /// Returns the entries that are most similar to a request without a matching entry, in any archive.
    ///
    /// Only these entries are read.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - count: The maximum number of entries; 12 by default.
    /// - Returns: The entries, with the most similar first.
    /// - Complexity: O(*n*) in the number of entries.
    package func nearestEntries(to request: InterceptedRequest, count: Int = 12) -> [NearestEntry] {
        let archives = answering.archives
        var lookup = archives.search(for: request).lookup
        return archives.nearestEntries(to: &lookup, count: count)
    }
}

extension Interceptor {
    /// Whether the interceptor records live exchanges.
    package var isRecording: Bool { recorder != nil && mode.records }

    /// Returns the number of small exchanges of a group, or of all groups, that wait until they are recorded.
    package func unrecordedCount(in group: Int?) -> Int { recorder?.waitingCount(in: group) ?? 0 }

    /// Whether the bodies of requests can affect which requests are sent to the network.
    package var needsBodies: Bool { mode.asksArchives || !rules.isEmpty }

    /// The folders of the archives and of their body files.
    package var folders: [URL] {
        archives.players.flatMap { player in
            [player.entries.archive?.url.deletingLastPathComponent(), player.entries.folder?.url].compactMap { $0 }
        }
    }

    /// Returns the distinct origins of the recorded requests, such as `https://api.example.com`.
    ///
    /// - Parameter limit: The maximum number of origins.
    /// - Returns: The normalized origins, in the order of their first entries.
    /// - Complexity: O(*n*) in the number of entries.
    package func recordedOrigins(limit: Int) -> [String] {
        var origins: [String] = []
        var known: Set<String> = []
        // Most entries have the same origin as the entry before them.
        var last: [UInt8] = []
        for player in archives.players {
            player.entries.forEachURL(in: 0..<player.entries.count) { _, url in
                let end = Self.endOfOrigin(in: url)
                guard origins.count < limit, !url[..<end].elementsEqual(last) else { return }
                last = Array(url[..<end])
                let normal = NormalizedURL(String(decoding: last, as: UTF8.self))
                guard normal.isHTTP || normal.isWebSocket, known.insert(normal.requestOrigin).inserted else { return }
                origins.append(normal.requestOrigin)
            }
        }
        return origins
    }

    /// Returns the offset of the first delimiter after the authority, or the length of a URL without an authority.
    private static func endOfOrigin(in url: UnsafeRawBufferPointer) -> Int {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return url.count }
        let delimiters: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")]
        let start = min(colon + 3, url.count)
        return url[start...].firstIndex { delimiters.contains($0) } ?? url.count
    }
}

extension Interceptor {
    /// Logs the entries that were used, if a log is set.
    ///
    /// If the log cannot be written, the logger of the interceptor receives a warning. The test does not fail.
    ///
    /// - Parameter log: The log; by default, the log set by the environment of the process.
    func noteUse(in log: UseLog? = .ofProcess) {
        guard let log else { return }
        do {
            let date = Date()
            try log.append(
                archives.players.compactMap { player in
                    // Entries in memory are not logged.
                    guard let archive = player.entries.archive, let stamp = archive.fingerprint else { return nil }
                    return UseLog.Line(
                        archive: archive.url.absoluteURL.path, entryCount: player.entries.count, used: player.used,
                        stamp: stamp, date: date)
                })
        } catch {
            warn("\(error)")
        }
    }
}
