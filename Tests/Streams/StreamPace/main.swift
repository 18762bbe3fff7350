import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that prints the time in milliseconds and the number of bytes received so far for each part of a body.
final class PacePrinter: NSObject, URLSessionDataDelegate {
    private let start = ContinuousClock.now
    private let received = Atomic(0)

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        let time = start.duration(to: .now) / .milliseconds(1)
        print(time, received.add(data.count, ordering: .relaxed).newValue)
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exit(error == nil ? 0 : 1)
    }
}

// Replays the first entry of an archive through URLSession with its recorded timings, for Tests/Streams/pace.
let archive = try HARArchive(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let interceptor = Interceptor(playing: [archive])
interceptor.add(.override(.any, .recordedTimings()))
let session = interceptor.session(delegate: PacePrinter())
guard let url = URL(string: CommandLine.arguments[2]) else { exit(2) }
session.dataTask(with: url).resume()
dispatchMain()
