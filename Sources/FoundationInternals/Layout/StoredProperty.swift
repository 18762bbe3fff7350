#if canImport(FoundationNetworking)
    import Synchronization

    /// A private stored property of a class in another library.
    ///
    /// Searching all properties of an object by name creates a value for each of them. The position of the property is
    /// the same in all objects of a class, so it is searched once for each class. Every access verifies the name at
    /// that position.
    package final class StoredProperty: Sendable {
        private struct Position {
            /// The number of superclasses up.
            let level: Int

            /// The index among that class's own properties.
            let offset: Int
        }

        private let name: String
        private let positions = Mutex<[ObjectIdentifier: Position]>([:])
        private let references = Mutex<[ObjectIdentifier: Int]>([:])
        private let flags = Mutex<[ObjectIdentifier: Int]>([:])

        /// Describes a property.
        ///
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - capability: The capability that is missing without the property; nil (the default) for none.
        package init(_ name: String, of capability: Capability? = nil) {
            self.name = capability.map { Fault.name(name, of: $0) } ?? name
        }

        /// Returns the value in an object, or nil if the object does not have the property.
        package func value(in object: AnyObject) -> Any? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let position = positions.withLock({ $0[type] }), let value = value(in: object, at: position) {
                return value
            }
            guard let position = position(in: object) else { return nil }
            positions.withLock { $0[type] = position }
            return value(in: object, at: position)
        }

        /// Returns the referenced object, or nil if the property is missing or has another type.
        ///
        /// Once its location is known, it is read from memory directly, because a mirror takes some microseconds.
        func reference<Value: AnyObject>(in object: AnyObject, as _: Value.Type = Value.self) -> Value? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let word = references.withLock({ $0[type] }) {
                return ClassLayout.reference(in: object, at: word) as? Value
            }
            guard let found = value(in: object) as? Value else { return nil }
            if let word = ClassLayout.place(in: object, of: found) { references.withLock { $0[type] = word } }
            return found
        }

        /// Returns the stored address, or nil if the property is missing or has no address.
        func address(in object: AnyObject) -> UnsafeMutableRawPointer? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let word = references.withLock({ $0[type] }) { return ClassLayout.address(in: object, at: word) }
            guard let found = value(in: object) as? UnsafeMutableRawPointer else { return nil }
            if let word = ClassLayout.place(in: object, of: found) { references.withLock { $0[type] = word } }
            return found
        }

        /// Sets the property of an object from `true` to `false`; does nothing if the property is missing.
        ///
        /// The property must not be accessed concurrently. The offset is verified with the first object of a class:
        /// after a write, a mirror must show the new value.
        ///
        /// - Returns: Whether the value was `true`.
        @discardableResult
        func clear(in object: AnyObject) -> Bool {
            let type = ObjectIdentifier(Swift.type(of: object))
            let start = Unmanaged.passUnretained(object).toOpaque()
            if let offset = flags.withLock({ $0[type] }) {
                defer { start.storeBytes(of: false, toByteOffset: offset, as: Bool.self) }
                return start.load(fromByteOffset: offset, as: Bool.self)
            }
            guard value(in: object) as? Bool == true, let position = positions.withLock({ $0[type] }),
                let offset = ClassLayout.offset(
                    ofProperty: position.offset, addedAtLevel: position.level, to: Swift.type(of: object)),
                start.load(fromByteOffset: offset, as: UInt8.self) == 1
            else { return false }
            start.storeBytes(of: false, toByteOffset: offset, as: Bool.self)
            if value(in: object) as? Bool == false {
                flags.withLock { $0[type] = offset }
            } else {
                start.storeBytes(of: true, toByteOffset: offset, as: Bool.self)
            }
            return true
        }

        private func value(in object: AnyObject, at position: Position) -> Any? {
            var mirror = Mirror(reflecting: object)
            for _ in 0..<position.level {
                guard let parent = mirror.superclassMirror else { return nil }
                mirror = parent
            }
            let children = mirror.children
            guard
                let index = children.index(
                    children.startIndex, offsetBy: position.offset, limitedBy: children.endIndex),
                index != children.endIndex
            else { return nil }
            let child = children[index]
            return child.label == name ? child.value : nil
        }

        private func position(in object: AnyObject) -> Position? {
            let mirrors = sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
            for (level, mirror) in mirrors.enumerated() {
                for (offset, child) in mirror.children.enumerated() where child.label == name {
                    return Position(level: level, offset: offset)
                }
            }
            return nil
        }
    }
#endif
