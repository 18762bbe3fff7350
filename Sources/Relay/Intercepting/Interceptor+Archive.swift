public import Foundation
public import HTTPArchive

extension Interceptor {
    /// Settings of an interceptor.
    public struct Configuration: Sendable {
        /// What becomes of a request that no entry answers.
        public enum UnmatchedRequests: Sendable, Hashable {
            /// It fails at once, with an error that names the nearest entries.
            case fail

            /// It goes to the network.
            case passThrough
        }

        /// What becomes of a request that no entry answers; it fails by default.
        public var unmatchedRequests = UnmatchedRequests.fail

        /// Whether a body that the archive does not have is delivered as an empty one; `false` by default, which makes
        /// it an error.
        public var deliversMissingBodiesAsEmpty = false

        /// How the entry is chosen that answers a request; by default by method and URL, and by the body where several
        /// have these.
        public var matching = RequestMatching.standard

        /// The limits for reading the archive.
        public var reader = HARReader.Configuration()

        /// Whether an index of the archive that is kept in a file is used; never by default.
        public var index = HARArchive.IndexUse.never

        /// Creates the default settings.
        public init() {}
    }

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
        var archives: [PlayedEntries] = []
        for url in urls {
            let archive = try HARArchive(
                contentsOf: url, configuration: configuration.reader, index: configuration.index)
            archives.append(PlayedEntries(of: archive))
        }
        let name = urls.map(\.lastPathComponent).joined(separator: ", ")
        self.init(name: name, playing: archives, configuration: configuration)
    }

    /// Creates an interceptor that answers from entries in memory.
    ///
    /// - Parameters:
    ///   - entries: The entries, in the order in which equal requests get them.
    ///   - name: What errors call the archive; `entries in memory` by default.
    ///   - configuration: The settings; the default ones unless given.
    public convenience init(
        entries: [HAR.Entry], name: String = "entries in memory", configuration: Configuration = Configuration()
    ) {
        self.init(name: name, playing: [PlayedEntries(entries, name: name)], configuration: configuration)
    }

    /// Creates an interceptor that answers from archives in order of precedence.
    convenience init(name: String, playing archives: [PlayedEntries], configuration: Configuration) {
        let layers = ArchiveLayers(archives, configuration: configuration)
        let passesThrough = configuration.unmatchedRequests == .passThrough
        self.init(name: name, known: { layers.knownResponse(to: $0) }) { request in
            switch layers.answer(to: request)?.outcome {
            case .success(let response): .response(response)
            case .failure(let error): .failure(error)
            case nil: passesThrough ? .passThrough : .failure(layers.miss(for: request))
            }
        }
    }
}
