import Foundation
import Synchronization

/// The archives that this process has recorded into, and whose turn it is to do so.
///
/// Several interceptors may record one archive, as the tests of a suite do. Each puts what it recorded into the archive when
/// it is its turn, and none takes away what another one of the process has put there.
final class RecordedArchives: Sendable {
    /// One archive, with a lock of its own.
    final class Place: Sendable {
        private let oldCount = Mutex<Int?>(nil)

        /// Whether something was recorded into it.
        var isRecorded: Bool { oldCount.withLock { $0 != nil } }

        /// Does something to the archive while nobody else of the process does.
        ///
        /// - Parameter body: Is given the number of entries that were there before the process recorded any, which stand in
        ///   front of the others; `nil` as long as it did not. It changes that number.
        /// - Throws: What `body` throws.
        func takeTurn<Failure: Error>(_ body: (inout Int?) throws(Failure) -> Void) throws(Failure) {
            try oldCount.withLock { count throws(Failure) in try body(&count) }
        }
    }

    /// Those of the process.
    static let shared = RecordedArchives()

    private let places = Mutex<[String: Place]>([:])

    /// The place of an archive, which need not be there.
    func place(of archive: URL) -> Place {
        let path = archive.resolvingSymlinksInPath().standardizedFileURL.path
        return places.withLock { places in
            let place = places[path] ?? Place()
            places[path] = place
            return place
        }
    }
}
