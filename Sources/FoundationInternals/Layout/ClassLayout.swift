#if canImport(FoundationNetworking)
    /// How classes and their objects lie in memory, on 64-bit systems; nothing else knows it of another library's types.
    ///
    /// A class's metadata says at byte 8 which class it inherits from, at byte 24 how long its objects are, at byte 32
    /// how long the metadata is, at byte 36 how many bytes of it stand before the address of the class, and at byte 40
    /// where it is described. The description says at byte 36 how many stored properties the class adds, and at byte 40
    /// which word of the metadata has the first one's place in objects; those of the others follow.
    enum ClassLayout {
        /// Whether classes lie as described here.
        static var isKnown: Bool { MemoryLayout<UInt>.size == 8 }

        /// The words of a class's metadata that may be methods: all from its address on but the first, which never are.
        static func methods(of type: AnyClass) -> Slice<UnsafeMutableBufferPointer<UInt>> {
            let start = unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
            let words = UnsafeMutableBufferPointer(
                start: start, count: max(0, number(at: 32, of: type) - number(at: 36, of: type)) / 8)
            return words.dropFirst(7)
        }

        /// Where an object refers to another one.
        ///
        /// - Parameters:
        ///   - object: An object that has the other one in a stored property, not weakly.
        ///   - other: The other one.
        /// - Returns: The place for ``reference(in:at:)``; `nil` unless exactly one word is the other's address.
        static func place(in object: AnyObject, of other: AnyObject) -> Int? {
            place(in: object, of: UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque()))
        }

        /// Where an object has an address.
        ///
        /// - Parameters:
        ///   - object: An object that has the address in a stored property.
        ///   - address: The address.
        /// - Returns: The place for ``address(in:at:)``; `nil` unless exactly one word is the address.
        static func place(in object: AnyObject, of address: UnsafeRawPointer) -> Int? {
            guard isKnown else { return nil }
            let address = UInt(bitPattern: address)
            let words = UnsafeBufferPointer(
                start: UnsafePointer<UInt>(OpaquePointer(Unmanaged.passUnretained(object).toOpaque())),
                count: number(at: 24, of: type(of: object)) / 8)
            let places = words.indices.filter { words[$0] == address }
            return places.count == 1 ? places.first : nil
        }

        /// What an object refers to.
        ///
        /// - Parameters:
        ///   - object: An object of the very class that the place was found for.
        ///   - place: A place that ``place(in:of:)`` gave.
        /// - Returns: What it refers to now.
        static func reference(in object: AnyObject, at place: Int) -> AnyObject? {
            address(in: object, at: place).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }

        /// The address that an object has.
        ///
        /// - Parameters:
        ///   - object: An object of the very class that the place was found for.
        ///   - place: A place that ``place(in:of:)`` gave.
        /// - Returns: The address that is there now; `nil` for none.
        static func address(in object: AnyObject, at place: Int) -> UnsafeMutableRawPointer? {
            Unmanaged.passUnretained(object).toOpaque()
                .load(fromByteOffset: place * 8, as: UnsafeMutableRawPointer?.self)
        }

        /// Where objects have a stored property.
        ///
        /// - Parameters:
        ///   - index: Which of the properties that a class adds.
        ///   - level: How many classes above that of the objects it is added.
        ///   - type: The class of the objects.
        /// - Returns: The number of bytes before it; `nil` when it is not where it should be.
        static func offset(ofProperty index: Int, addedAtLevel level: Int, to type: AnyClass) -> Int? {
            guard isKnown else { return nil }
            var metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
            for _ in 0..<level {
                guard let parent = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) else { return nil }
                metadata = parent
            }
            guard let description = metadata.load(fromByteOffset: 40, as: UnsafeRawPointer?.self),
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
