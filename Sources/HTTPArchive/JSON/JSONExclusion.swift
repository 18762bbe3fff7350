/// What a comparison leaves out, as seen from one value: the rest of each pointer that leads on from there.
struct JSONExclusion {
    private let pointers: [ArraySlice<String>]

    private init(pointers: [ArraySlice<String>]) { self.pointers = pointers }

    /// Takes pointers from the whole document, in which `*` stands for any name or index.
    init(_ pointers: [JSONPointer]) {
        self.init(pointers: pointers.map { $0.components[...] })
    }

    /// Whether nothing in the value is left out.
    var isEmpty: Bool { pointers.isEmpty }

    /// Whether the value itself is left out.
    var isWhole: Bool { pointers.contains(where: \.isEmpty) }

    /// The same as seen from a member or an element.
    func inside(_ component: JSONString) -> JSONExclusion {
        let leading = pointers.filter { $0.first == "*" || $0.first.map { JSONString($0) } == component }
        return JSONExclusion(pointers: leading.map { $0.dropFirst() })
    }
}
