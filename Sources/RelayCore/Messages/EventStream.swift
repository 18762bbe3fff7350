package import Foundation
import HTTPArchive

/// The structure of event streams (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
package enum EventStream {
    /// Returns the offsets at which the events of a stream end.
    ///
    /// The last offset is the end of the stream.
    ///
    /// An event ends after an empty line. Empty lines that follow belong to the same event, and an incomplete event at
    /// the end counts as an event.
    ///
    /// - Parameter body: The stream.
    /// - Returns: The offsets in bytes, in ascending order; empty for an empty stream.
    package static func ends(of body: Data) -> [Int] {
        var ends: [Int] = []
        var isLineEmpty = true
        var isEventEmpty = true
        var last: UInt8 = 0
        body.withUnsafeBytes { bytes in
            for (offset, byte) in bytes.enumerated() {
                defer { last = byte }
                switch byte {
                case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"):
                    // The second half of a line break that was already counted.
                    if ends.last == offset { ends[ends.count - 1] = offset + 1 }
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                    if isLineEmpty, !isEventEmpty {
                        ends.append(offset + 1)
                        isEventEmpty = true
                    } else if isLineEmpty, !ends.isEmpty {
                        ends[ends.count - 1] = offset + 1
                    }
                    isLineEmpty = true
                default:
                    isLineEmpty = false
                    isEventEmpty = false
                }
            }
        }
        if (ends.last ?? 0) < body.count {
            if isEventEmpty, !ends.isEmpty { ends[ends.count - 1] = body.count } else { ends.append(body.count) }
        }
        return ends
    }
}

extension InterceptedResponse {
    /// Whether the body is an event stream in memory.
    var isEventStream: Bool {
        storedBody == nil
            && headers.values(named: "content-type").first.flatMap(MediaType.init)?.essence == "text/event-stream"
    }
}
