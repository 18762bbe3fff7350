public import HTTPArchive

extension Shape {
    /// A difference between the shape of recorded values and the shape of current values.
    public struct Difference: Hashable, Sendable {
        /// The severity of a difference for programs that rely on the recorded values.
        public enum Grade: String, CaseIterable, Comparable, Sendable {
            /// Something was added, which most programs ignore.
            case added

            /// Something is missing or narrower, which programs that need it notice.
            case missing

            /// A type, a format or a status has changed, or a request fails.
            case changed

            /// Returns whether a grade is less severe than another one.
            public static func < (first: Grade, second: Grade) -> Bool { first.rank < second.rank }

            private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        }

        /// The severity.
        public let grade: Grade

        /// The location of the value, in which `*` stands for all elements of an array and all names of a map.
        public let pointer: JSONPointer

        /// The difference as text, such as `now null`.
        public let text: String

        /// The recorded shape.
        public let recorded: String

        /// The current shape.
        public let current: String

        /// Creates a difference.
        package init(grade: Grade, pointer: JSONPointer, text: String, recorded: String, current: String) {
            self.grade = grade
            self.pointer = pointer
            self.text = text
            self.recorded = recorded
            self.current = current
        }
    }

    /// Compares current values with these recorded values.
    ///
    /// Missing types are not reported, because few values seldom have all of the recorded types.
    ///
    /// - Parameters:
    ///   - current: The shape of the current values.
    ///   - pointer: The location of the values; the root by default.
    /// - Returns: The differences.
    public func differences(from current: Shape, at pointer: JSONPointer = JSONPointer()) -> [Difference] {
        var comparison = ShapeComparison()
        comparison.compare(self, current, at: pointer)
        return comparison.differences
    }
}

/// A comparison of two shapes.
struct ShapeComparison {
    private(set) var differences: [Shape.Difference] = []

    /// Compares the types, formats, elements and members of values.
    mutating func compare(_ recorded: Shape, _ current: Shape, at pointer: JSONPointer) {
        // Nothing is known about the elements of empty arrays.
        if recorded.isEmpty || current.isEmpty { return }
        let known = recorded.kinds
        let name = pointer.components.last { $0 != "*" } ?? ""
        for kind in current.kinds where !known.contains(kind) {
            if recorded.placeholderCount > 0, kind.isScalar { continue }
            if known == [.null] {
                add(.added, pointer, "now also \(kind.rawValue)", recorded, current)
            } else {
                add(.changed, pointer, kind == .null ? "now null" : "type changed", recorded, current)
            }
        }
        // One recorded price of 3 does not mean that all prices are integers.
        if recorded.numbers.count >= 8, recorded.hasOnlyIntegers, !current.hasOnlyIntegers {
            add(.changed, pointer, "now with fractions", recorded, current)
        }
        compareStrings(recorded, current, named: name, at: pointer)
        compare(recorded.element, current.element, at: pointer.appending("*"))
        if let recorded = recorded.objects, let current = current.objects {
            compareMembers(recorded, current, at: pointer)
        }
    }

    private mutating func compareStrings(
        _ recorded: Shape, _ current: Shape, named name: String, at pointer: JSONPointer
    ) {
        guard recorded.strings.count > 0, current.strings.count > 0 else { return }
        if let (known, found) = current.strings.formatMissing(in: recorded.strings) {
            // Two numbers as strings can be identifiers that happen to have no letters.
            guard known != [.number] || recorded.strings.count >= 8 else { return }
            let names = known.map(\.rawValue).joined(separator: " or ")
            add(
                .changed, pointer, "format changed", "a string (\(names))",
                found.map { "a string (\($0.rawValue))" } ?? "a string without this format")
        } else if recorded.strings.isEnumeration(named: name) {
            let known = Set(recorded.strings.values.map(\.text))
            let values = current.strings.values.map(\.text).filter { !known.contains($0) }
            guard current.strings.isOpen || !values.isEmpty else { return }
            add(
                .added, pointer, "new value of an enumeration", "one of " + Self.list(known.sorted()),
                current.strings.isOpen ? "other values" : Self.list(values.sorted()))
        }
    }

    private static func list(_ values: [String]) -> String { values.joined(separator: ", ") }

    private mutating func compareMembers(
        _ recorded: Shape.Members, _ current: Shape.Members, at pointer: JSONPointer
    ) {
        if let value = recorded.mapValue {
            let values = current.mapValue ?? current.all.reduce(into: Shape()) { $0.merge($1.shape) }
            return compare(value, values, at: pointer.appending("*"))
        }
        guard current.mapValue == nil || !current.all.isEmpty else { return }
        let missing = recorded.all.filter { member in
            recorded.requires(member) && (current[member.name]?.count ?? 0) < current.count
        }
        let known = Set(recorded.all.map(\.name))
        let added = current.all.filter { !known.contains($0.name) }
        // The names of records are data if they differ.
        if recorded.areRecords, !missing.isEmpty, !added.isEmpty {
            let values = [recorded, current].map { $0.all.reduce(into: Shape()) { $0.merge($1.shape) } }
            return compare(values[0], values[1], at: pointer.appending("*"))
        }
        let names = renamed(missing.filter { current[$0.name] == nil }, added)
        for member in missing {
            let count = current[member.name]?.count ?? 0
            let amount = count > 0 ? "missing in \(current.count - count) of \(current.count)" : "missing"
            let hint = names[member.name].map { "; renamed to '\($0)'?" } ?? ""
            add(.missing, pointer.appending(member.name), amount + hint, "\(member.shape)", "no member")
        }
        for member in added {
            add(.added, pointer.appending(member.name), "new member", "no member", "\(member.shape)")
        }
        for member in current.all {
            guard let other = recorded[member.name] else { continue }
            compare(other.shape, member.shape, at: pointer.appending(member.name))
        }
    }

    /// Returns the new names of missing members: the only added member with the same shape.
    private func renamed(_ missing: [Shape.Members.Member], _ added: [Shape.Members.Member]) -> [String: String] {
        var names: [String: String] = [:]
        for member in missing {
            let text = "\(member.shape)"
            let candidates = added.filter { "\($0.shape)" == text }
            let rivals = missing.filter { "\($0.shape)" == text }
            if candidates.count == 1, rivals.count == 1 { names[member.name] = candidates[0].name }
        }
        return names
    }

    /// Compares all recorded values with all current values: members and types that no current value has.
    mutating func compareAll(_ recorded: Shape, _ current: Shape, at pointer: JSONPointer) {
        if recorded.isEmpty || current.isEmpty { return }
        let present = current.kinds
        let lost = recorded.kinds.filter { $0 != .null && !present.contains($0) }
        if !lost.isEmpty, current.placeholderCount == 0,
            present.allSatisfy({ $0 == .null || recorded.count(of: $0) > 0 })
        {
            add(.missing, pointer, "never \(lost.map(\.rawValue).joined(separator: " or ")) now", recorded, current)
        }
        compareAll(recorded.element, current.element, at: pointer.appending("*"))
        guard let recorded = recorded.objects, let current = current.objects else { return }
        if let value = recorded.mapValue {
            let values = current.mapValue ?? current.all.reduce(into: Shape()) { $0.merge($1.shape) }
            return compareAll(value, values, at: pointer.appending("*"))
        }
        for member in recorded.all {
            if let other = current[member.name] {
                compareAll(member.shape, other.shape, at: pointer.appending(member.name))
            } else if current.mapValue == nil {
                add(
                    .missing, pointer.appending(member.name), "missing everywhere", "\(member.shape)",
                    "no member")
            }
        }
    }

    private mutating func add(
        _ grade: Shape.Difference.Grade, _ pointer: JSONPointer, _ text: String, _ recorded: Shape, _ current: Shape
    ) {
        add(grade, pointer, text, "\(recorded)", "\(current)")
    }

    private mutating func add(
        _ grade: Shape.Difference.Grade, _ pointer: JSONPointer, _ text: String, _ recorded: String, _ current: String
    ) {
        differences.append(
            .init(grade: grade, pointer: pointer, text: text, recorded: recorded, current: current))
    }
}
