import HTTPArchive

/// A comparison of a current response with the recorded responses of its endpoint.
struct ResponseComparison {
    /// The recorded responses.
    let endpoint: Endpoint

    /// The index of the entry whose request was sent.
    let entry: Int

    /// Compares a response, and adds it to the current responses of the endpoint.
    ///
    /// - Parameters:
    ///   - response: The current response, redacted.
    ///   - recorded: The recorded response.
    ///   - usual: The other statuses that the same request had in the archive.
    ///   - current: The current responses by status.
    ///   - findings: The list that receives the differences.
    /// - Returns: The status of the recorded response if its content was compared.
    func compare(
        _ response: HAR.Response, with recorded: HAR.Response, or usual: Set<Int>, current: inout [Int: MessageShape],
        _ findings: inout Findings
    ) -> Int? {
        // A confirmed cached copy is a response with status 200, because conditions are not sent.
        var expected = recorded.status == 304 ? 200 : recorded.status
        if response.status == 304 { return nil }
        let isUsual = response.status != expected && usual.contains(response.status)
        if isUsual { expected = response.status }
        if response.status != expected {
            let difference = Self.difference(
                .changed, "status changed", "\(expected)", "\(response.status)", at: JSONPointer())
            findings.add([difference], in: "status", of: endpoint, entry: entry)
            // A different kind of response has a different content.
            guard response.status / 100 == expected / 100 else { return nil }
        }
        guard let known = endpoint.responses[expected] else { return nil }
        var shape = MessageShape()
        shape.add(response, in: nil)
        findings.add(fields(known, shape), in: "header", of: endpoint, entry: entry)
        findings.add(bodies(known, shape), in: "body", of: endpoint, entry: entry)
        guard !isUsual, recorded.status == expected else { return nil }
        current[expected, default: MessageShape()].merge(shape)
        return expected
    }

    /// Returns the fields that some recorded responses have and no current one, apart from cookies, which servers set only
    /// sometimes.
    static func lostFields(_ recorded: MessageShape, _ current: MessageShape) -> [Shape.Difference] {
        recorded.fields.sorted { $0.key < $1.key }.compactMap { name, field in
            guard current.fields[name] == nil, !name.hasPrefix("set-cookie") else { return nil }
            return difference(.missing, "missing everywhere", text(field), "no field", at: JSONPointer([name]))
        }
    }

    private func fields(_ known: MessageShape, _ current: MessageShape) -> [Shape.Difference] {
        var differences: [Shape.Difference] = []
        for (name, field) in known.fields.sorted(by: { $0.key < $1.key }) {
            let pointer = JSONPointer([name])
            guard let other = current.fields[name] else {
                guard field.count == known.count else { continue }
                differences.append(Self.difference(.missing, "missing", Self.text(field), "no field", at: pointer))
                continue
            }
            guard let values = field.values, let found = other.values, !found.isSubset(of: values) else { continue }
            differences.append(
                Self.difference(.changed, "value changed", Self.text(field), Self.text(other), at: pointer))
        }
        for (name, field) in current.fields.sorted(by: { $0.key < $1.key }) where known.fields[name] == nil {
            let pointer = JSONPointer([name])
            differences.append(Self.difference(.added, "new field", "no field", Self.text(field), at: pointer))
        }
        return differences
    }

    private static func text(_ field: MessageShape.Field) -> String {
        let values = (field.values ?? []).filter { !$0.isEmpty }.sorted()
        return values.isEmpty ? "a field" : values.prefix(4).joined(separator: " or ")
    }

    private func bodies(_ known: MessageShape, _ current: MessageShape) -> [Shape.Difference] {
        if known.kinds.isEmpty || current.kinds.isEmpty { return [] }
        var differences: [Shape.Difference] = []
        for kind in current.kinds.keys where known.kinds[kind] == nil {
            let names = known.kinds.keys.map(\.rawValue).sorted().joined(separator: " or ")
            let grade: Shape.Difference.Grade = known.kinds.keys.allSatisfy { $0 == .empty } ? .added : .changed
            differences.append(
                Self.difference(grade, "kind of body changed", names, kind.rawValue, at: JSONPointer()))
        }
        return differences + known.json.differences(from: current.json)
    }

    static func difference(
        _ grade: Shape.Difference.Grade, _ text: String, _ recorded: String, _ current: String, at pointer: JSONPointer
    ) -> Shape.Difference {
        Shape.Difference(grade: grade, pointer: pointer, text: text, recorded: recorded, current: current)
    }
}
