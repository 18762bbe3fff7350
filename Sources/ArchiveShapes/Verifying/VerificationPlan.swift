import Foundation
package import HTTPArchive

/// The requests of an archive that are sent again, and what is known about their responses.
package struct VerificationPlan: Sendable {
    /// A reason for not sending a request.
    package enum Reason: Hashable, Sendable {
        /// No server was named for the origin.
        case otherOrigin(String)

        /// The method changes data on the server.
        case unsafeMethod(String)

        /// The entry has no response to an HTTP request.
        case noResponse

        /// The archive does not contain the body of the request.
        case missingBody

        /// The request needs a value from the response of an entry that was not sent.
        case dependency(Int)

        /// The request has a placeholder whose secret is unknown.
        case missingSecret(String)

        /// The server did not respond before.
        case unavailable(String)

        /// The other archive has no such request.
        case notRecorded
    }

    /// An entry whose request is sent.
    package struct Step: Sendable {
        /// The index of the entry.
        package let entry: Int

        /// The recorded start, in seconds since the first request; 0 if it is unknown.
        let start: Double

        /// The recorded end, in seconds since the first request.
        let end: Double

        /// Whether the response is compared.
        ///
        /// Other responses are only needed for their values.
        var isSelected = true
    }

    /// The requests to send, in their recorded order.
    package private(set) var steps: [Step] = []

    /// The entries that are not sent, by index.
    package private(set) var skipped: [Int: Reason] = [:]

    /// The shapes of all endpoints.
    package private(set) var shapes = EndpointShapes()

    /// The values that requests need from earlier responses.
    package private(set) var carried = CarriedValues()

    /// The statuses of requests that occur several times.
    private(set) var statuses = RepeatedStatuses()

    /// The methods that do not change data (RFC 9110, section 9.2.1,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1).
    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "QUERY"]

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - selected: The entries to send, in addition to those whose responses they need; nil (the default) for all
    ///     entries. All entries contribute to the shapes.
    ///   - allowsUnsafe: Whether to send requests whose method changes data.
    ///   - destinations: The servers.
    ///   - progress: A closure that is called with the index of each entry.
    /// - Throws: Any error from reading the archive.
    /// - Complexity: O(*n*) in the size of the archive.
    package init(
        of archive: HARArchive, selected: Set<Int>? = nil, allowsUnsafe: Bool, to destinations: Destinations,
        progress: (Int) -> Void = { _ in }
    ) throws(HARError) {
        let folder = archive.bodyFolder
        var first: Double?
        for index in 0..<archive.count {
            progress(index)
            let entry = try archive.entry(at: index)
            shapes.add(entry, in: folder)
            statuses.add(entry, in: folder)
            let request = OutgoingRequest(entry.request, in: folder)
            carried.add(request, ResponseValues(entry.response, in: folder), of: index)
            if let reason = Self.reason(against: entry, in: folder, allowsUnsafe, destinations) {
                skipped[index] = reason
                continue
            }
            let time = entry.startedDate?.timeIntervalSinceReferenceDate
            first = first ?? time
            let start = (time ?? 0) - (first ?? 0)
            let duration = entry.time.flatMap { $0.isFinite && $0 > 0 ? $0 / 1000 : nil } ?? 0
            steps.append(Step(entry: index, start: time == nil ? 0 : start, end: start + duration))
        }
        if let selected { select(selected) }
        // Some tools write entries in the order in which they ended.
        steps = steps.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    /// Removes the entries that are neither selected nor needed by selected ones.
    private mutating func select(_ selected: Set<Int>) {
        var needed = selected
        // Values come from earlier entries.
        for entry in (0...(selected.max() ?? 0)).reversed() where needed.contains(entry) {
            for use in carried.uses[entry] ?? [] { needed.insert(use.source.entry) }
        }
        skipped = skipped.filter { needed.contains($0.key) }
        steps = steps.filter { needed.contains($0.entry) }
        for index in steps.indices { steps[index].isSelected = selected.contains(steps[index].entry) }
    }

    private static func reason(
        against entry: HAR.Entry, in folder: HAR.BodyFolder, _ allowsUnsafe: Bool, _ destinations: Destinations
    ) -> Reason? {
        let (request, status) = (entry.request, entry.response.status)
        let url = NormalizedURL(request.url)
        guard url.isHTTP, 200..<600 ~= status else { return .noResponse }
        guard destinations.url(for: request.url) != nil else { return .otherOrigin(url.origin) }
        let method = request.method.uppercased()
        guard allowsUnsafe || safeMethods.contains(method) else { return .unsafeMethod(method) }
        return (try? request.bodyData(in: folder)).flatMap(\.self) == nil ? .missingBody : nil
    }

    /// The origins of an archive, in the order of their first entries.
    package static func origins(of archive: HARArchive) -> [String] {
        var origins: [String] = []
        var known: Set<String> = []
        for index in 0..<archive.count {
            let url = NormalizedURL(archive.summary(at: index).url)
            if url.isHTTP, known.insert(url.origin).inserted { origins.append(url.origin) }
        }
        return origins
    }
}

/// The statuses of the responses to equal requests, such as requests for the state of a job.
struct RepeatedStatuses: Sendable {
    /// The first status of each request, by its hash.
    private var first: [Int: Int] = [:]

    /// The statuses of requests that have several.
    private var several: [Int: Set<Int>] = [:]

    mutating func add(_ entry: HAR.Entry, in folder: HAR.BodyFolder) {
        let (hash, status) = (Self.hash(of: entry, in: folder), entry.response.status)
        guard let known = first[hash] else { return first[hash] = status }
        if known != status { several[hash, default: [known]].insert(status) }
    }

    /// Returns the statuses of a request, or an empty set if it always had the same one.
    func statuses(of entry: HAR.Entry, in folder: HAR.BodyFolder) -> Set<Int> {
        several[Self.hash(of: entry, in: folder)] ?? []
    }

    private static func hash(of entry: HAR.Entry, in folder: HAR.BodyFolder) -> Int {
        var hasher = Hasher()
        hasher.combine(entry.request.method.uppercased())
        hasher.combine(NormalizedURL(entry.request.url))
        hasher.combine((try? entry.request.bodyData(in: folder)) ?? nil)
        return hasher.finalize()
    }
}
