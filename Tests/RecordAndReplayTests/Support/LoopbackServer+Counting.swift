import Synchronization

extension LoopbackServer {
    /// A keyword that only URLs of this server contain.
    var keyword: String { "127.0.0.1:\(port)/" }

    /// Starts a server whose JSON responses contain a counter.
    static func counting() throws -> LoopbackServer {
        let count = Atomic(0)
        return try LoopbackServer { _ in
            ok(
                "{\"count\": \(count.add(1, ordering: .relaxed).newValue)}",
                headers: "Content-Type: application/json\r\n")
        }
    }
}
