/// One token of a value's text: its kind and where it ends.
///
/// Tokens stand in the order of the text. A container is an opening token, the tokens inside, and a `close`.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `true`, `false`, number, string, key, object, array, close
    }

    let kind: Kind

    /// The number of bytes from the start of the value to just after the token.
    let end: UInt32

    /// For a container, the index of the token after its `close`; for a string or key, the number of bytes that it stands
    /// for, or 0 where that is not known.
    var next: UInt32 = 0
}
