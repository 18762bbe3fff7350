@testable import HTTPArchive

/// The operations of an editor, applied to values instead of text.
enum ValueTree {
    /// An operation on the value that a pointer refers to.
    enum Change {
        case set(JSONValue)
        case insert(JSONValue)
        case remove
    }

    /// Returns the changed value, or `nil` if the pointer does not refer to a valid location.
    static func changing(
        _ value: JSONValue, at components: ArraySlice<String>, _ change: Change
    ) -> JSONValue? {
        guard let name = components.first else {
            switch change {
            case .set(let new), .insert(let new): return new
            case .remove: return nil
            }
        }
        let isLast = components.count == 1
        switch value {
        case .object(var object):
            if isLast {
                switch change {
                case .set(let new), .insert(let new): object[name] = new
                case .remove:
                    guard object.members.contains(where: { $0.name.text == name }) else { return nil }
                    object[name] = Optional.none
                }
            } else {
                guard let inner = object[name], let new = changing(inner, at: components.dropFirst(), change)
                else { return nil }
                object[name] = new
            }
            return .object(object)
        case .array(var elements):
            guard let index = name == "-" ? elements.count : Int(name), index <= elements.count else { return nil }
            if isLast {
                switch change {
                case .set(let new) where index < elements.count: elements[index] = new
                case .set(let new), .insert(let new): elements.insert(new, at: index)
                case .remove:
                    guard index < elements.count else { return nil }
                    elements.remove(at: index)
                }
            } else {
                guard index < elements.count,
                    let new = changing(elements[index], at: components.dropFirst(), change)
                else { return nil }
                elements[index] = new
            }
            return .array(elements)
        default: return nil
        }
    }

    /// Returns a copy of a value in which all members with the given names have new values.
    static func replacingMembers(_ values: [String: JSONValue], in value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { replacingMembers(values, in: $0) })
        case .object(let object):
            .object(
                JSONObject(
                    members: object.members.map {
                        .init(name: $0.name, value: values[$0.name.text] ?? replacingMembers(values, in: $0.value))
                    }))
        default: value
        }
    }

    /// Merges a patch into a value with the algorithm in RFC 7396, section 2.
    static func merging(_ patch: JSONValue, into target: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var object = target.object ?? [:]
        for member in patch.members {
            let name = member.name.text
            if case .null = member.value {
                object[name] = Optional.none
            } else {
                object[name] = merging(member.value, into: object[name] ?? .null)
            }
        }
        return .object(object)
    }
}
