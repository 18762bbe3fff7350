#if canImport(FoundationNetworking)
    import CPlatform
    import Synchronization

    /// A private stored property of a class in another library.
    ///
    /// A search by name uses a mirror, which creates a value for every property. All objects of a class have the
    /// property at the same position, so the position is cached for each class. Each access through a mirror verifies
    /// the name at the cached position.
    package final class StoredProperty: Sendable {
        private struct Position {
            /// The distance from the object's class to the superclass that declares the property.
            let level: Int

            /// The index among the properties that the superclass declares.
            let offset: Int
        }

        private let name: String
        private let positions = Mutex<[ObjectIdentifier: Position]>([:])
        private let references = Mutex<[ObjectIdentifier: Int]>([:])
        private let offsets = Mutex<[ObjectIdentifier: Int]>([:])

        /// Creates an accessor for a property.
        ///
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - capability: The capability that depends on the property, if any.
        package init(_ name: String, of capability: Capability? = nil) {
            self.name = capability.map { Fault.name(name, of: $0) } ?? name
        }

        /// Returns the value in an object, or nil if the property is missing.
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
        /// After the first access, the reference is read directly from memory, because a mirror takes several
        /// microseconds.
        func reference<Value: AnyObject>(in object: AnyObject, as _: Value.Type = Value.self) -> Value? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let word = references.withLock({ $0[type] }) {
                let address = ClassLayout.address(in: object, at: word)
                return address.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } as? Value
            }
            guard let found = value(in: object) as? Value else { return nil }
            let address = Unmanaged.passUnretained(found).toOpaque()
            if let word = ClassLayout.place(in: object, of: address) { references.withLock { $0[type] = word } }
            return found
        }

        /// Returns the stored address, or nil if the property is missing or does not hold an address.
        func address(in object: AnyObject) -> UnsafeMutableRawPointer? {
            let type = ObjectIdentifier(Swift.type(of: object))
            if let word = references.withLock({ $0[type] }) { return ClassLayout.address(in: object, at: word) }
            guard let found = value(in: object) as? UnsafeMutableRawPointer else { return nil }
            if let word = ClassLayout.place(in: object, of: found) { references.withLock { $0[type] = word } }
            return found
        }

        /// Sets a property of a trivial type, or does nothing if the property is missing or has another type.
        ///
        /// The property must not be accessed concurrently. The first change for each class verifies the offset: the
        /// bytes at the offset must be the old value, and a mirror must show the new value.
        func set<Value: BitwiseCopyable & Equatable>(_ value: Value, in object: AnyObject) {
            let type = ObjectIdentifier(Swift.type(of: object))
            let start = Unmanaged.passUnretained(object).toOpaque()
            if let offset = offsets.withLock({ $0[type] }) {
                return start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
            }
            guard let old = self.value(in: object) as? Value, old != value, let offset = offset(in: object),
                withUnsafeBytes(
                    of: old, { $0.elementsEqual(UnsafeRawBufferPointer(start: start + offset, count: $0.count)) })
            else { return }
            start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
            if self.value(in: object) as? Value == value {
                offsets.withLock { $0[type] = offset }
            } else {
                start.storeBytes(of: old, toByteOffset: offset, as: Value.self)
            }
        }

        /// Stores a value in a dictionary property whose keys are an enumeration with text as raw values.
        ///
        /// The property must not be accessed concurrently. Nothing is changed unless the dictionary's storage is found
        /// at the offset of the property.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - key: The raw value of the key.
        ///   - object: The object that has the property.
        /// - Returns: Whether a mirror shows a value for the key afterwards.
        func store(_ value: Any, forKey key: String, in object: AnyObject) -> Bool {
            guard let old = self.value(in: object) as? any TextKeyedDictionary, let offset = offset(in: object),
                old.store(value, forKey: key, at: Unmanaged.passUnretained(object).toOpaque() + offset)
            else { return false }
            return (self.value(in: object) as? any TextKeyedDictionary)?.hasValue(forKey: key) == true
        }

        /// Returns the offset of the property in an object, or nil if the property has not been found with a mirror.
        private func offset(in object: AnyObject) -> Int? {
            let type: AnyClass = Swift.type(of: object)
            return positions.withLock { $0[ObjectIdentifier(type)] }.flatMap {
                ClassLayout.offset(ofProperty: $0.offset, addedAtLevel: $0.level, to: type)
            }
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

    /// A dictionary whose keys have text as raw values, and may have a private type.
    private protocol TextKeyedDictionary {
        func hasValue(forKey text: String) -> Bool
        func store(_ value: Any, forKey text: String, at location: UnsafeMutableRawPointer) -> Bool
    }

    extension Dictionary: TextKeyedDictionary where Key: RawRepresentable, Key.RawValue == String, Value == Any {
        fileprivate func hasValue(forKey text: String) -> Bool { Key(rawValue: text).map { self[$0] != nil } ?? false }

        /// Stores a value in the dictionary at a location, if it is this dictionary.
        fileprivate func store(_ value: Any, forKey text: String, at location: UnsafeMutableRawPointer) -> Bool {
            guard MemoryLayout<Self>.size == MemoryLayout<UInt>.size, let key = Key(rawValue: text),
                location.load(as: UInt.self) == unsafeBitCast(self, to: UInt.self)
            else { return false }
            location.assumingMemoryBound(to: Self.self).pointee[key] = value
            return true
        }
    }

    /// The memory layout of classes and their objects on 64-bit systems.
    ///
    /// Only this type depends on the layout of other libraries' classes. Class metadata contains the superclass at
    /// offset 8, the instance size at offset 24, the size of the metadata at offset 32, the number of metadata bytes
    /// before the class's address at offset 36, and the address of the class descriptor at offset 40. The descriptor
    /// contains the number of stored properties that the class declares at offset 36, and the index of a metadata word
    /// at offset 40. That word holds the first property's offset in instances, and the next words hold the offsets of
    /// the other properties.
    enum ClassLayout {
        /// Whether this layout applies to the platform.
        static var isKnown: Bool { MemoryLayout<UInt>.size == 8 }

        /// Returns the words of class metadata that may be method pointers: all words after the first seven.
        ///
        /// - Parameter type: The class.
        /// - Returns: The words, or an empty slice if the layout is implausible or the memory is unreadable.
        static func methods(of type: AnyClass) -> Slice<UnsafeMutableBufferPointer<UInt>> {
            let start = unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
            let size = number(at: 32, of: type) - number(at: 36, of: type)
            let isPlausible = size >= 0 && size <= 32_768 && memory_is_readable(start, size) != 0
            return UnsafeMutableBufferPointer(start: start, count: isPlausible ? size / 8 : 0).dropFirst(7)
        }

        /// Returns the location of an address in an object.
        ///
        /// - Parameters:
        ///   - object: An object that holds the address, or a strong reference to it, in a stored property.
        ///   - address: The address.
        /// - Returns: The word index for ``address(in:at:)``, or nil unless exactly one word is the address.
        static func place(in object: AnyObject, of address: UnsafeRawPointer) -> Int? {
            guard isKnown else { return nil }
            let address = UInt(bitPattern: address)
            let words = UnsafeBufferPointer(
                start: UnsafePointer<UInt>(OpaquePointer(Unmanaged.passUnretained(object).toOpaque())),
                count: min(number(at: 24, of: type(of: object)), 4_096) / 8)
            let matches = words.indices.filter { words[$0] == address }
            return matches.count == 1 ? matches.first : nil
        }

        /// Returns the address at a location in an object.
        ///
        /// - Parameters:
        ///   - object: An object of the class for which the location was found, not of a subclass.
        ///   - word: A word index returned by ``place(in:of:)``.
        /// - Returns: The address, or nil for a null pointer.
        static func address(in object: AnyObject, at word: Int) -> UnsafeMutableRawPointer? {
            Unmanaged.passUnretained(object).toOpaque()
                .load(fromByteOffset: word * 8, as: UnsafeMutableRawPointer?.self)
        }

        /// Returns the offset of a stored property in the objects of a class.
        ///
        /// - Parameters:
        ///   - index: The index of the property among those that its class declares.
        ///   - level: The distance from the class of the objects to the superclass that declares the property.
        ///   - type: The class of the objects.
        /// - Returns: The offset in bytes, or nil if it is implausible.
        static func offset(ofProperty index: Int, addedAtLevel level: Int, to type: AnyClass) -> Int? {
            guard isKnown else { return nil }
            var metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            for _ in 0..<level {
                guard let parent = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) else { return nil }
                metadata = parent
            }
            guard let description = metadata.load(fromByteOffset: 40, as: UnsafeRawPointer?.self),
                memory_is_readable(description, 44) != 0,
                index < description.load(fromByteOffset: 36, as: UInt32.self)
            else { return nil }
            let word = Int(description.load(fromByteOffset: 40, as: UInt32.self)) + index
            let offset = metadata.load(fromByteOffset: word * 8, as: Int.self)
            return (16..<number(at: 24, of: type)).contains(offset) ? offset : nil
        }

        private static func number(at offset: Int, of type: AnyClass) -> Int {
            Int(unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: offset, as: UInt32.self))
        }
    }
#endif
