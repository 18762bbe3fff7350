extension KeyRule {
    /// What differs of the parts that count.
    func differences(asked: ComparedRequest, recorded: ComparedRequest) -> [MatchDifference] {
        let texts: [(name: String, part: Parts, text: (ComparedRequest) -> String)] = [
            ("method", .method, { $0.request.method.uppercased() }),
            ("scheme", .scheme, { String($0.url.scheme) }),
            ("host", .host, { String($0.url.host) }),
            ("port", .port, { String($0.url.port) }),
            ("path", .path, { $0.url.path }),
            ("path", .foldedPath, { $0.url.foldedPath }),
        ]
        // Whoever compares the path as it is compares all of it.
        let parts = parts.contains(.path) ? parts.subtracting(.foldedPath) : parts
        let differences = texts.compactMap { name, part, text -> MatchDifference? in
            guard parts.contains(part), text(asked) != text(recorded) else { return nil }
            return MatchDifference(name, recorded: text(recorded), asked: text(asked))
        }
        return differences + query.differences(asked: asked.url, recorded: recorded.url)
    }
}

extension KeyRule.Query {
    /// What differs of the queries.
    func differences(asked: NormalizedURL, recorded: NormalizedURL) -> [MatchDifference] {
        switch self {
        case .ignored: return []
        case .items(let names):
            return Self.differences(
                asked: asked.queryItems(ignoring: names), recorded: recorded.queryItems(ignoring: names))
        case .ordered:
            let differences = Self.differences(asked: asked.queryItems, recorded: recorded.queryItems)
            guard differences.isEmpty, asked.queryItems != recorded.queryItems else { return differences }
            let texts = [recorded, asked].map { $0.queryItems.map(MessageText.item).joined(separator: "&") }
            return [MatchDifference("query", recorded: texts[0], asked: texts[1])]
        }
    }

    private static func differences(asked: [Substring], recorded: [Substring]) -> [MatchDifference] {
        var onlyAsked = asked
        var onlyRecorded: [Substring] = []
        var counts = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
        for item in recorded {
            if let count = counts[item], count > 0 { counts[item] = count - 1 } else { onlyRecorded.append(item) }
        }
        onlyAsked = onlyAsked.reversed().filter { item in
            guard let count = counts[item], count > 0 else { return false }
            counts[item] = count - 1
            return true
        }.reversed()
        return paired(onlyRecorded, onlyAsked)
    }

    /// A line for what was recorded, with the item of the same name that was asked in its place beside it.
    private static func paired(_ recorded: [Substring], _ asked: [Substring]) -> [MatchDifference] {
        var rest = Dictionary(grouping: asked, by: NormalizedURL.name(ofItem:))
        var differences = recorded.map { item in
            let name = NormalizedURL.name(ofItem: item)
            let other = rest[name]?.isEmpty == false ? rest[name]?.removeFirst() : nil
            return MatchDifference("query", recorded: MessageText.item(item), asked: other.map(MessageText.item))
        }
        for item in asked {
            let name = NormalizedURL.name(ofItem: item)
            guard rest[name]?.isEmpty == false, let first = rest[name]?.removeFirst() else { continue }
            differences.append(MatchDifference("query", asked: MessageText.item(first)))
        }
        return differences
    }
}
