/// One thing in which a recorded request differs from one that was asked.
///
/// The texts are safe to print: names, places, sizes, and values of query items that are no secrets. Values of header
/// fields and forms and contents of bodies never stand in them. Where both texts are the same, they name something that
/// both requests have and whose values differ.
public struct MatchDifference: Hashable, Sendable {
    /// What was compared, such as `query` or `header`.
    public let part: String

    /// What the recorded request has there; `nil` when it has nothing.
    public let recorded: String?

    /// What the request that was asked has there; `nil` when it has nothing.
    public let asked: String?

    /// Creates a difference; characters that are not to be seen are replaced by signs.
    ///
    /// - Parameters:
    ///   - part: What was compared, in a word.
    ///   - recorded: What the recorded request has there; `nil` (the default) when it has nothing.
    ///   - asked: What the request that was asked has there; `nil` (the default) when it has nothing.
    public init(_ part: String, recorded: String? = nil, asked: String? = nil) {
        self.part = MessageText.printable(part)
        self.recorded = recorded.map(MessageText.printable)
        self.asked = asked.map(MessageText.printable)
    }

    /// Something that both requests have, with values that differ.
    init(_ part: String, inBoth name: String) {
        self.init(part, recorded: name, asked: name)
    }
}

extension MatchDifference {
    /// Differences of two collections of named values, whose order means nothing.
    ///
    /// - Parameters:
    ///   - part: What was compared.
    ///   - recorded: What was recorded: the values of each name, comparable as they are.
    ///   - asked: What was asked.
    ///   - label: What messages call a name.
    /// - Returns: A difference for each name, in the order of the names.
    static func ofNamedValues<Value: Equatable>(
        _ part: String, recorded: [String: Value], asked: [String: Value], label: (String) -> String = { $0 }
    ) -> [MatchDifference] {
        Set(recorded.keys).union(asked.keys).sorted().compactMap { name in
            guard recorded[name] != asked[name] else { return nil }
            return MatchDifference(
                part, recorded: recorded[name].map { _ in label(name) }, asked: asked[name].map { _ in label(name) })
        }
    }
}
