import CPlatform

extension UnsafeRawBufferPointer {
    /// The first place where other bytes stand, found by the C library in linear time.
    func firstPlace(of bytes: [UInt8]) -> Int? {
        guard let baseAddress, !bytes.isEmpty, bytes.count <= count else { return nil }
        return bytes.withUnsafeBytes { wanted in
            guard let first = wanted.baseAddress, let found = search_find(baseAddress, count, first, wanted.count)
            else {
                return nil
            }
            return found - baseAddress
        }
    }
}
