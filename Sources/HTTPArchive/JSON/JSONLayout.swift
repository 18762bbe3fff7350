/// How JSON is laid out when it is written.
public enum JSONLayout: Sendable, Hashable {
    /// Objects that were read and not changed keep their text, byte for byte; everything else is indented.
    case unchanged

    /// No white space.
    case compact

    /// A line for each value, indented by two spaces a level.
    case pretty
}
