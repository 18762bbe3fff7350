/// A value with a name, which may indicate that the value is a secret.
struct NamedValue {
    /// The kind of text that contains the value.
    enum Context { case header, cookie, query, form, json, container, number, text }

    /// The name, unescaped.
    let name: String

    /// The value, unescaped.
    let bytes: [UInt8]

    /// The kind of text that contains the value.
    let context: Context
}
