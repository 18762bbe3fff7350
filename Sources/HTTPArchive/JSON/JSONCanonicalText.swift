/// A value written in one way only, whatever the order of members, white space, escapes and the spelling of numbers.
enum JSONCanonicalText {
    /// A container that is being written.
    private struct Frame {
        let isObject: Bool
        let children: [JSONChild]
        var written = 0
    }

    /// The text of a value, without the values that are left out.
    static func bytes(of node: JSONNode, _ exclusion: JSONExclusion = .init([])) -> [UInt8] {
        guard !exclusion.isWhole else { return [] }
        let source = node.source
        var bytes: [UInt8] = []
        var frames: [Frame] = []
        var next: JSONChild? = JSONChild(name: [], value: node.index, exclusion: exclusion)
        while true {
            if let child = next {
                switch source.tokens[child.value].kind {
                case .object, .array:
                    let isObject = source.tokens[child.value].kind == .object
                    bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                    frames.append(
                        Frame(isObject: isObject, children: source.children(of: child.value, child.exclusion)))
                default: bytes += source.canonicalScalar(at: child.value)
                }
            }
            guard var frame = frames.popLast() else { return bytes }
            guard frame.written < frame.children.count else {
                bytes.append(frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                next = nil
                continue
            }
            let child = frame.children[frame.written]
            if frame.written > 0 { bytes.append(UInt8(ascii: ",")) }
            if frame.isObject { bytes += child.name + [UInt8(ascii: ":")] }
            frame.written += 1
            frames.append(frame)
            next = child
        }
    }
}
