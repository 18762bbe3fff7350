public import Foundation
public import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that answers from an archive on disk.
    ///
    /// Opening passes over the file once, unless ``Configuration/index`` spares that; what an entry holds is read when it
    /// is asked for. Small answers are kept for the next time, some megabytes of them.
    ///
    /// - Parameters:
    ///   - url: The HAR file.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `unreadableFile`, `malformedJSON`, `notAnArchive` or `limitExceeded`.
    /// - Complexity: O(*n*) in the size of the file.
    public convenience init(archive url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        try self.init(archives: [url], configuration: configuration)
    }

    /// Creates an interceptor that answers from several archives on disk, each opened as by ``init(archive:configuration:)``.
    ///
    /// - Parameters:
    ///   - urls: The HAR files in order of precedence: a request gets the answer of the first that has one.
    ///   - configuration: The settings, for all of them; the default ones unless given.
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

    /// Creates an interceptor that answers from archives that are open.
    ///
    /// - Parameters:
    ///   - archives: The archives in order of precedence: a request gets the answer of the first that has one.
    ///   - configuration: The settings, for all of them; the default ones unless given.
    /// - Complexity: O(*n*) in the number of entries.
    public convenience init(playing archives: [HARArchive], configuration: Configuration = Configuration()) {
        let name = archives.map(\.url.lastPathComponent).joined(separator: ", ")
        self.init(name: name, playing: archives.map(ReplaySource.init(of:)), configuration: configuration)
    }

    /// Creates an interceptor that answers from entries in memory.
    ///
    /// - Parameters:
    ///   - entries: The entries, in the order in which equal requests get them.
    ///   - name: What errors call the archive; `entries in memory` by default.
    ///   - folder: Where the files are in which entries have bodies; `nil`, the default, where they have none in files.
    ///   - failures: The errors that requests get in place of an entry's answer, by the entry's place: an archive has words
    ///     for errors of the network, and none for a program's own; none by default.
    ///   - configuration: The settings; the default ones unless given.
    public convenience init(
        entries: [HAR.Entry], name: String = "entries in memory", folder: URL? = nil,
        failures: [Int: any Error] = [:], configuration: Configuration = Configuration()
    ) {
        let entries = ReplaySource(entries, name: name, folder: folder.map { HAR.BodyFolder($0) }, failures: failures)
        self.init(name: name, playing: [entries], configuration: configuration)
    }

    /// Creates an interceptor that answers by rules alone.
    ///
    /// - Parameters:
    ///   - name: What messages call it; `interceptor` by default.
    ///   - configuration: The settings; the default ones unless given.
    public convenience init(name: String = "interceptor", configuration: Configuration = Configuration()) {
        self.init(name: name, playing: [], configuration: configuration)
    }

    /// Creates an interceptor that answers from archives in order of precedence.
    package convenience init(name: String, playing archives: [ReplaySource], configuration: Configuration) {
        self.init(
            name: name, archives: ArchiveLayers(archives, configuration: configuration), configuration: configuration)
    }

    /// What was used of the archives until now, and which requests nothing answered.
    public var report: ReplayReport { archives.report }
}

extension ArchiveLayers {
    /// Creates layers of archives with the settings of an interceptor.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence.
    ///   - configuration: The settings of all archives.
    ///   - page: The page whose entries are preferred among equal matches; none by default.
    convenience init(_ archives: [ReplaySource], configuration: Interceptor.Configuration, page: String? = nil) {
        self.init(
            archives, plan: MatchingPlan(configuration.matching, page: page),
            redaction: configuration.recording.redaction,
            deliversMissingBodiesAsEmpty: configuration.deliversMissingBodiesAsEmpty)
    }
}

extension Interceptor {
    /// Compares a request with all entries of the archives; none of them is used by that.
    ///
    /// - Parameter request: The request.
    /// - Returns: Why each entry matches or does not.
    /// - Complexity: O(*n*) in the number of entries, all of which are read.
    public func explanation(of request: InterceptedRequest) -> MatchExplanation {
        answering.archives.explanation(of: request)
    }
}
