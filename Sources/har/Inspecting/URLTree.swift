import HTTPArchive

/// The URLs of entries as a tree of hosts and paths.
struct URLTree {
    /// A node, with the number of entries at its URL and below.
    private struct Node {
        var count = 0
        var bytes = 0
        var children: [String: Int] = [:]
        var names: [String] = []
    }

    /// All nodes; the first one is the root.
    private var nodes = [Node()]

    /// Adds a URL.
    ///
    /// - Parameters:
    ///   - url: The URL. Its query and fragment are ignored.
    ///   - bytes: The size of the response body in bytes.
    mutating func add(_ url: String, bytes: Int) {
        let parts = LiteralURL(url)
        let host = parts.scheme == nil ? "(no host)" : String(parts.beforeUser + parts.authority)
        var names = [host]
        if parts.scheme != nil {
            names += parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { "/" + $0 }
        }
        var current = 0
        count(bytes, at: current)
        for name in names {
            current = child(name, of: current)
            count(bytes, at: current)
        }
    }

    private mutating func count(_ bytes: Int, at node: Int) {
        nodes[node].count += 1
        nodes[node].bytes &+= bytes
    }

    private mutating func child(_ name: String, of parent: Int) -> Int {
        if let child = nodes[parent].children[name] { return child }
        nodes.append(Node())
        nodes[parent].children[name] = nodes.count - 1
        nodes[parent].names.append(name)
        return nodes.count - 1
    }

    /// Writes the tree, with the number of entries and the size of the bodies of each node.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - limit: The maximum number of lines.
    /// - Throws: `unwritableFile`.
    func write(to output: StandardOutput, limit: Int) throws(HARError) {
        var rest = limit
        // The nodes to write, in reverse order. In a deep tree, recursion could overflow the stack.
        var pending = nodes[0].names.reversed().map { (name: $0, node: nodes[0].children[$0] ?? 0, indent: "") }
        while rest > 0, let next = pending.popLast() {
            var (name, node) = (next.name, next.node)
            // A node without entries and with a single child is written on the same line as the child.
            while nodes[node].names.count == 1, let only = nodes[node].names.first,
                let child = nodes[node].children[only], nodes[child].count == nodes[node].count
            {
                name += only
                node = child
            }
            let (count, bytes) = (nodes[node].count.of("entry", "entries"), nodes[node].bytes.asBytes)
            let facts = "  (\(count), \(bytes))"
            let shown = name.printable
            let space = Terminal.width.map { max(16, $0 - next.indent.count - facts.count) } ?? .max
            try output.line(next.indent + shown.shortened(to: space) + facts)
            rest -= 1
            pending += nodes[node].names.reversed().map { ($0, nodes[node].children[$0] ?? 0, next.indent + "  ") }
        }
    }
}
