import Foundation
import HTTPArchive

extension Interceptor {
    /// Whether the interceptor records live exchanges.
    package var isRecording: Bool { recorder != nil && mode.records }

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
                guard normal.isHTTP, known.insert(normal.origin).inserted else { return }
                origins.append(normal.origin)
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
