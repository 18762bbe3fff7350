import Synchronization

extension LoopbackServer {
    /// What URLs of the server contain, and no others.
    var keyword: String { "127.0.0.1:\(port)/" }

    /// Starts a server that answers every request with JSON that counts.
    static func counting() throws -> LoopbackServer {
        let count = Atomic(0)
        return try LoopbackServer { _ in
            ok(
                "{\"count\": \(count.add(1, ordering: .relaxed).newValue)}",
                headers: "Content-Type: application/json\r\n")
        }
    }
}
