import HTTPArchive
import Relay

/// The requests of entries that are sent at the same time, in the order of the entries.
///
/// Requests with the same method and URL are sent one after another, because the entries are used in their order.
struct PendingRequests {
    /// The result for an entry.
    struct Completed {
        let entry: HAR.Entry
        let index: Int
        let result: Replayer.Result
    }

    private struct Pending {
        let entry: HAR.Entry
        let index: Int
        let key: RequestKey
        let size: Int
        let result: Task<Replayer.Result, Never>
    }

    /// The maximum number of requests.
    private static let countLimit = 12

    /// The maximum size of the entries in bytes, unless there is only one.
    private static let sizeLimit = 2_000_000

    private let replayer: Replayer
    private var pending: [Pending] = []

    /// Creates an empty list.
    ///
    /// - Parameter replayer: The replayer that sends the requests.
    init(with replayer: Replayer) { self.replayer = replayer }

    /// Sends the request of an entry when there are few enough requests.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry.
    ///   - report: A closure that receives the results of earlier requests.
    /// - Throws: The error of the closure.
    mutating func send(
        _ entry: HAR.Entry, index: Int, reportingTo report: (Completed) throws -> Void
    ) async throws {
        let size = entry.fields.byteRange?.count ?? 0
        while pending.count >= Self.countLimit
            || !pending.isEmpty && pending.reduce(size, { $0 + $1.size }) > Self.sizeLimit
        {
            try report(await removeFirst())
        }
        let key = RequestKey(method: entry.request.method, url: entry.request.url)
        let earlier = pending.last { $0.key == key }?.result
        let result = Task { [replayer] in
            _ = await earlier?.value
            return await replayer.replay(entry, index: index)
        }
        pending.append(Pending(entry: entry, index: index, key: key, size: size, result: result))
    }

    /// Waits for all requests.
    ///
    /// - Parameter report: A closure that receives the results.
    /// - Throws: The error of the closure.
    mutating func finish(reportingTo report: (Completed) throws -> Void) async throws {
        while !pending.isEmpty { try report(await removeFirst()) }
    }

    private mutating func removeFirst() async -> Completed {
        let first = pending.removeFirst()
        return Completed(entry: first.entry, index: first.index, result: await first.result.value)
    }
}
