/// How JSON is laid out when it is written.
public enum JSONLayout: Sendable, Hashable {
    /// What was read and not changed keeps its text, byte for byte; everything else is indented.
    case unchanged

    /// No white space.
    case compact

    /// A line for each value, indented by two spaces a level.
    case pretty
}
