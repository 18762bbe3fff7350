extension JSONPatch {
    /// The patch that makes one value of another.
    ///
    /// Objects are compared member by member, whatever their order. Of arrays of one length the elements are compared in
    /// pairs; of others those at both ends that are equal stay, and the ones between are taken out and put in.
    ///
    /// - Parameters:
    ///   - old: What the patch applies to, or a part of each object in it.
    ///   - new: What it gives.
    /// - Complexity: O(*n*) in the size of both.
    package init(from old: JSONValue, to new: JSONValue) {
        steps = Self.steps(from: old, to: new, at: JSONPointer())
    }

    private static func steps(from old: JSONValue, to new: JSONValue, at place: JSONPointer) -> [Step] {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            let oldMembers = byName(old)
            let newMembers = byName(new)
            let removed = names(of: old).filter { newMembers[$0] == nil }
                .map { Step(operation: .remove, pointer: place.appending($0.text)) }
            return removed
                + names(of: new).flatMap { name in
                    let place = place.appending(name.text)
                    guard let value = newMembers[name] else { return [Step]() }
                    guard let old = oldMembers[name] else { return [Step(operation: .add(value), pointer: place)] }
                    return steps(from: old, to: value, at: place)
                }
        case (.array(let old), .array(let new)):
            return steps(from: old, to: new, at: place)
        default:
            return old == new ? [] : [Step(operation: .replace(new), pointer: place)]
        }
    }

    private static func steps(from old: [JSONValue], to new: [JSONValue], at place: JSONPointer) -> [Step] {
        if old.count == new.count {
            return zip(old, new).enumerated().flatMap { index, pair in
                steps(from: pair.0, to: pair.1, at: place.appending(index))
            }
        }
        let isEqual = { (old: JSONValue, new: JSONValue) in old.canonicalText() == new.canonicalText() }
        let start = zip(old, new).prefix(while: isEqual).count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix(while: isEqual).count
        let removed = (start..<old.count - end).map { _ in
            Step(operation: .remove, pointer: place.appending(start))
        }
        let added = (start..<new.count - end).map { index in
            Step(operation: .add(new[index]), pointer: place.appending(index))
        }
        return removed + added
    }

    /// The names of an object's members in their order, each once.
    private static func names(of object: JSONObject) -> [JSONString] {
        var seen: Set<JSONString> = []
        return object.members.map(\.name).filter { seen.insert($0).inserted }
    }

    private static func byName(_ object: JSONObject) -> [JSONString: JSONValue] {
        Dictionary(object.members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}
