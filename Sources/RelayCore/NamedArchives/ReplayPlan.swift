public import Foundation
import HTTPArchive

/// The named archives to replay, and the settings for the interceptor.
package struct ReplayPlan: Sendable {
    /// The names of the archives in order of precedence.
    package var names: [String]

    /// Whether missing archives are ignored, even in modes that do not record.
    package var isOptional = false

    private let search: ArchiveSearch
    private let rules: [Rule]
    private let configuration: Interceptor.Configuration
    private let mode: ReplayMode?

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - names: The names of the archives in order of precedence.
    ///   - search: The folders to search.
    ///   - matching: The rules for selecting entries, or nil to use the rules of `configuration`.
    ///   - rules: The rules to add. They take precedence over archives, and later rules over earlier ones.
    ///   - configuration: All other settings.
    ///   - mode: The replay mode. If it is nil, the environment determines the mode, or else `configuration`.
    package init(
        names: [String], search: ArchiveSearch, matching: RequestMatching?, rules: [Rule],
        configuration: Interceptor.Configuration, mode: ReplayMode?
    ) {
        self.names = names
        self.search = search
        self.rules = rules
        self.mode = mode
        var configuration = configuration
        if let matching { configuration.matching = matching }
        self.configuration = configuration
    }

    /// Opens the archives and creates an interceptor that replays and records them.
    ///
    /// Interceptors share open archives, but each one tracks used entries separately.
    ///
    /// - Parameters:
    ///   - page: The page of the recorded entries, such as the name of a test; nil (the default) for no page. Among
    ///     entries that match equally well, those on this page are replayed first.
    ///   - sharesPage: Whether other recordings use the same page, such as other cases of a parameterized test; `false`
    ///     by default.
    ///   - environment: The environment variables that can set the mode; the variables of the process by default.
    /// - Returns: The interceptor. ``Interceptor/finishRecording(keeping:)`` moves its recordings into the archive.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    package func makeInterceptor(
        page: String? = nil, sharesPage: Bool = false, environment: [String: String] = ReplayMode.environment
    ) throws(RelayError) -> Interceptor {
        let mode = if let mode { mode } else { try ReplayMode.named(in: environment) }
        var archives: [ReplaySource] = []
        var isEmpty = names.first.map { search.existingURL(of: $0) == nil } ?? true
        for name in names where mode?.asksArchives ?? true {
            if mode?.records == true, name == names.first, isEmpty { continue }
            if isOptional, search.existingURL(of: name) == nil { continue }
            archives.append(try source(named: name))
            if name == names.first { isEmpty = archives.last?.count == 0 }
        }
        let recorder = names.first.map {
            makeRecorder(of: $0, page: page, sharesPage: sharesPage, startsEmpty: isEmpty)
        }
        let interceptor = Interceptor(
            name: names.isEmpty ? page ?? "stubs" : names.joined(separator: ", "),
            archives: ArchiveLayers(archives, configuration: configuration, page: page), mode: mode,
            recorder: recorder, configuration: configuration)
        interceptor.add(rules)
        return interceptor
    }

    private func source(named name: String) throws(RelayError) -> ReplaySource {
        let url = try search.url(of: name)
        do throws(HARError) {
            return try OpenedArchives.shared.entries(of: url, configuration: configuration)
        } catch {
            throw RelayError(archive: error)
        }
    }

    private func makeRecorder(of name: String, page: String?, sharesPage: Bool, startsEmpty: Bool) -> Recorder {
        let archive = search.recordingURL(of: name)
        let page = page.map { HAR.Page(startedDateTime: HAR.text(Date()), id: $0, title: $0) }
        let origin = RecordingPlan(
            settings: configuration.recording, reader: configuration.reader, matching: configuration.matching,
            sharesPage: sharesPage)
        return Recorder(
            into: archive, output: .draft(RecordingDraft(of: archive, from: origin)),
            playing: search.existingURL(of: name), page: page, settings: configuration.recording,
            startsEmpty: startsEmpty, findRefusal: { [search] in search.refusal(ofRecording: name) })
    }
}

extension Interceptor {
    /// Creates an interceptor that responds to requests from archives next to the calling file.
    ///
    /// ```swift
    /// let names = try await Interceptor.replaying("shop").interceptEverySession {
    ///     try await loadNames()
    /// }
    /// ```
    ///
    /// Relay looks for the archive `NAME.har` next to the file, then in a folder named `Recordings` next to the file,
    /// and then at the same two locations in the bundle. Interceptors share open archives.
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`. It can include folders.
    ///   - more: The names of additional archives, in order of precedence after the first.
    ///   - bundle: A bundle with archives in its resources; nil by default.
    ///   - matching: The rules for selecting entries; nil (the default) to use the rules of `configuration`.
    ///   - rules: The rules to add, such as stubs and overrides, which take precedence over the archives; none by
    ///     default.
    ///   - configuration: All other settings; defaults if omitted.
    ///   - mode: The replay mode. If it is nil (the default), the environment variable `RELAY_MODE` sets the mode. If
    ///     the variable is not set either, `configuration` determines the mode.
    ///   - filePath: The path of the file whose folder contains the archives; the calling file by default.
    /// - Returns: The interceptor.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    /// - Complexity: O(1) for archives that are already open, otherwise O(*n*) in the size of the files.
    public static func replaying(
        _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil,
        rules: [Rule] = [], configuration: Configuration = Configuration(), mode: ReplayMode? = nil,
        filePath: String = #filePath
    ) throws(RelayError) -> Interceptor {
        let plan = ReplayPlan(
            names: [name] + more, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: mode)
        return try plan.makeInterceptor()
    }
}
