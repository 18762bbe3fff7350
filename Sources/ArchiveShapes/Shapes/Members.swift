import HTTPArchive

extension Shape {
    /// The members of the objects that a shape describes.
    struct Members: Sendable {
        /// A member.
        struct Member: Sendable {
            /// The unescaped name.
            let name: String

            /// The text of the name between the quotation marks.
            let text: [UInt8]

            /// The size and some bytes of the text, which differ for most names.
            let start: TextStart

            /// The number of objects that have the member.
            var count = 0

            /// The shape of the values.
            var shape = Shape()

            init(_ text: UnsafeRawBufferPointer) {
                self.text = [UInt8](text)
                start = TextStart(text)
                name = JSONString(source: text).text
            }
        }

        /// The maximum number of members.
        ///
        /// Objects with more members are maps, and their values share one shape.
        private static let limit = 400

        /// The minimum number of members that are found with a dictionary.
        private static let indexedCount = 12

        /// The number of objects.
        var count = 0

        /// The members, in the order in which they first occurred; empty if there were too many.
        private(set) var all: [Member] = []

        /// The indices of the members by name, if there are many.
        private var indices: [[UInt8]: Int] = [:]

        /// The shape of all values if there were too many members.
        private var overflow: [Shape] = []

        /// Adds the value of a member with a closure.
        ///
        /// - Parameters:
        ///   - text: The text of the name between the quotation marks.
        ///   - expected: The index that the member probably has. It is changed to the index that the next member probably
        ///     has.
        ///   - body: A closure that adds values to the shape of the member.
        @inline(__always)
        mutating func withMember(_ text: UnsafeRawBufferPointer, at expected: inout Int, _ body: (inout Shape) -> Void)
        {
            if !overflow.isEmpty { return body(&overflow[0]) }
            let start = TextStart(text)
            if expected >= all.count || !all[expected].start.matches(start, all[expected].text, text) {
                guard let found = index(of: text) ?? insert(text) else { return body(&overflow[0]) }
                expected = found
            }
            all[expected].count += 1
            body(&all[expected].shape)
            expected += 1
        }

        private func index(of text: UnsafeRawBufferPointer) -> Int? {
            if all.count >= Self.indexedCount { return indices[[UInt8](text)] }
            return all.firstIndex { $0.text.isEqual(to: text) }
        }

        /// Adds a member, or returns nil if there are too many.
        private mutating func insert(_ text: UnsafeRawBufferPointer) -> Int? {
            if all.count == Self.limit {
                overflow = [all.reduce(into: Shape()) { $0.merge($1.shape) }]
                all = []
                indices = [:]
                return nil
            }
            all.append(Member(text))
            if all.count == Self.indexedCount {
                for (index, member) in all.enumerated() { indices[member.text] = index }
            } else if all.count > Self.indexedCount {
                indices[[UInt8](text)] = all.count - 1
            }
            return all.count - 1
        }

        mutating func merge(_ other: Members) {
            count += other.count
            if let shape = other.overflow.first {
                let own = overflow.first ?? all.reduce(into: Shape()) { $0.merge($1.shape) }
                overflow = [own]
                overflow[0].merge(shape)
                (all, indices) = ([], [:])
            }
            var expected = 0
            for member in other.all {
                member.text.withUnsafeBytes { text in
                    withMember(text, at: &expected) { $0.merge(member.shape) }
                }
                // The closure counted one object.
                if overflow.isEmpty { all[expected - 1].count += member.count - 1 }
            }
        }

        /// Returns the member with a name.
        subscript(name: String) -> Member? { all.first { $0.name == name } }

        /// Returns whether all objects have a member.
        func requires(_ member: Member) -> Bool { member.count >= count }
    }
}

extension Shape.Members {
    /// The shape of the values if the objects are maps, whose names are data, or nil for other objects.
    ///
    /// Names are data if all of them are identifiers, dates, addresses or similar, or if there are many and each object has
    /// only a few of them.
    var mapValue: Shape? {
        if let shape = overflow.first { return shape }
        guard !all.isEmpty, haveOneKind else { return nil }
        let areData = all.allSatisfy { Self.isData($0.text) }
        let present = all.reduce(0) { $0 + $1.count }
        let areRare = count > 1 && all.count >= 8 && present * 4 <= all.count * count
        guard areData || areRare else { return nil }
        return all.reduce(into: Shape()) { $0.merge($1.shape) }
    }

    /// Whether the values of all members have one type, apart from null.
    private var haveOneKind: Bool {
        var kinds = Set(all.flatMap(\.shape.kinds))
        kinds.remove(.null)
        return kinds.count <= 1
    }

    /// Whether the objects have at least three members, whose values are objects with the same members.
    var areRecords: Bool {
        guard all.count >= 3, let first = all[0].shape.objects, first.all.count >= 2 else { return false }
        let names = Set(first.all.map(\.name))
        return all.allSatisfy { $0.shape.objects.map { Set($0.all.map(\.name)) == names } ?? false }
    }

    /// Whether a name is an identifier, a date, an address, or a long text with digits, and not the name of a field.
    private static func isData(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            guard let first = text.first else { return false }
            if Shape.Format(of: text) != nil { return true }
            if first == UInt8(ascii: "/") || text.contains(UInt8(ascii: "@")) { return true }
            let digits = text.reduce(0) { $0 + ($1.isDigit ? 1 : 0) }
            let isHexadecimal = text.count >= 8 && text.allSatisfy(JSONText.isHexadecimal)
            return digits > 0 && (isHexadecimal || text.count >= 16 && digits * 6 >= text.count)
        }
    }
}
