#if canImport(FoundationNetworking)
    import CPlatform

    /// The memory layout of classes and their objects on 64-bit systems.
    ///
    /// Only this type knows the layout of another library's types. Class metadata has these fields: at byte 8 the
    /// superclass, at byte 24 the size of objects, at byte 32 the size of the metadata, at byte 36 the number of its
    /// bytes before the class's address, and at byte 40 the address of the description. The description has at byte 36
    /// the number of stored properties that the class adds, and at byte 40 the index of the metadata word with the
    /// first property's offset in objects. The offsets of the other properties follow.
    enum ClassLayout {
        /// Whether this layout applies to the platform.
        static var isKnown: Bool { MemoryLayout<UInt>.size == 8 }

        /// Returns the words of class metadata that may be methods: all from the class's address except the first
        /// seven.
        ///
        /// - Parameter type: The class.
        /// - Returns: The words; empty if the layout is not plausible or the words cannot be read.
        static func methods(of type: AnyClass) -> Slice<UnsafeMutableBufferPointer<UInt>> {
            let start = unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
            let size = number(at: 32, of: type) - number(at: 36, of: type)
            let isPlausible = size >= 0 && size <= 32_768 && memory_is_readable(start, size) != 0
            return UnsafeMutableBufferPointer(start: start, count: isPlausible ? size / 8 : 0).dropFirst(7)
        }

        /// Returns the location of a reference in an object.
        ///
        /// - Parameters:
        ///   - object: An object with a strong reference in a stored property.
        ///   - other: The referenced object.
        /// - Returns: The word index for ``reference(in:at:)``, or nil unless exactly one word is the address of
        ///   `other`.
        static func place(in object: AnyObject, of other: AnyObject) -> Int? {
            place(in: object, of: UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque()))
        }

        /// Returns the location of an address in an object.
        ///
        /// - Parameters:
        ///   - object: An object with the address in a stored property.
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

        /// Returns the object at a location in another object.
        ///
        /// - Parameters:
        ///   - object: An object of exactly the class for which the location was found.
        ///   - word: A word index returned by ``place(in:of:)``.
        /// - Returns: The object that is currently referenced.
        static func reference(in object: AnyObject, at word: Int) -> AnyObject? {
            address(in: object, at: word).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Returns the address at a location in an object.
        ///
        /// - Parameters:
        ///   - object: An object of exactly the class for which the location was found.
        ///   - word: A word index returned by ``place(in:of:)``.
        /// - Returns: The current address, or nil for a null pointer.
        static func address(in object: AnyObject, at word: Int) -> UnsafeMutableRawPointer? {
            Unmanaged.passUnretained(object).toOpaque()
                .load(fromByteOffset: word * 8, as: UnsafeMutableRawPointer?.self)
        }

        /// Returns the offset of a stored property in objects.
        ///
        /// - Parameters:
        ///   - index: The index of the property among those that a class adds.
        ///   - level: The number of superclasses from the class of the objects up to the class that adds the property.
        ///   - type: The class of the objects.
        /// - Returns: The offset in bytes, or nil if it is not plausible.
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
