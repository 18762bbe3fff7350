#if canImport(FoundationNetworking)
    import Synchronization

    /// A stored property of a class of another library, which it does not show.
    ///
    /// Looking for a name among all properties of an object makes a value of each. Objects of one class have it at one
    /// place, so that it is looked for once for each class; a place that has another name is not believed.
    package final class StoredProperty: Sendable {
        private struct Place {
            /// How many superclasses up.
            let level: Int

            /// Which of that class's own properties.
            let offset: Int
        }

        private let name: String
        private let places = Mutex<[ObjectIdentifier: Place]>([:])
        private let references = Mutex<[ObjectIdentifier: Int]>([:])
        private let flags = Mutex<[ObjectIdentifier: Int]>([:])

        package init(_ name: String) {
            self.name = name
        }

        /// The value that an object has, or `nil` when it has no such property.
        package func value(in object: AnyObject) -> Any? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let place = places.withLock({ $0[type] }), let value = value(in: object, at: place) { return value }
            guard let place = place(in: object) else { return nil }
            places.withLock { $0[type] = place }
            return value(in: object, at: place)
        }

        /// The object that an object has, or `nil` when it has no such property, or none of that class in it.
        ///
        /// It is read from where it lies, once that is known: even at a known place, a mirror takes some microseconds.
        func reference<Value: AnyObject>(in object: AnyObject, as _: Value.Type = Value.self) -> Value? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let place = references.withLock({ $0[type] }) {
                return ClassLayout.reference(in: object, at: place) as? Value
            }
            guard let found = value(in: object) as? Value else { return nil }
            if let place = ClassLayout.place(in: object, of: found) { references.withLock { $0[type] = place } }
            return found
        }

        /// The address that an object has, or `nil` when it has no such property, or none.
        func address(in object: AnyObject) -> UnsafeMutableRawPointer? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let place = references.withLock({ $0[type] }) { return ClassLayout.address(in: object, at: place) }
            guard let found = value(in: object) as? UnsafeMutableRawPointer else { return nil }
            if let place = ClassLayout.place(in: object, of: found) { references.withLock { $0[type] = place } }
            return found
        }

        /// Makes it `false` in an object where it is `true`, unless it has no such property.
        ///
        /// Nothing may use the property at the same time. That it lies where it should is seen in the first object of a
        /// class: what is written there must be what a mirror shows.
        ///
        /// - Returns: Whether it was `true`.
        @discardableResult
        func clear(in object: AnyObject) -> Bool {
            let type = ObjectIdentifier(Swift.type(of: object))
            let start = Unmanaged.passUnretained(object).toOpaque()
            if let offset = flags.withLock({ $0[type] }) {
                defer { start.storeBytes(of: false, toByteOffset: offset, as: Bool.self) }
                return start.load(fromByteOffset: offset, as: Bool.self)
            }
            guard value(in: object) as? Bool == true, let place = places.withLock({ $0[type] }),
                let offset = ClassLayout.offset(
                    ofProperty: place.offset, addedAtLevel: place.level, to: Swift.type(of: object)),
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

        private func value(in object: AnyObject, at place: Place) -> Any? {
            var mirror = Mirror(reflecting: object)
            for _ in 0..<place.level {
                guard let parent = mirror.superclassMirror else { return nil }
                mirror = parent
            }
            let children = mirror.children
            guard
                let index = children.index(children.startIndex, offsetBy: place.offset, limitedBy: children.endIndex),
                index != children.endIndex
            else { return nil }
            let child = children[index]
            return child.label == name ? child.value : nil
        }

        private func place(in object: AnyObject) -> Place? {
            let mirrors = sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
            for (level, mirror) in mirrors.enumerated() {
                for (offset, child) in mirror.children.enumerated() where child.label == name {
                    return Place(level: level, offset: offset)
                }
            }
            return nil
        }
    }
#endif
