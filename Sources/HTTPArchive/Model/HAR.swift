/// The objects of an HTTP archive, under the names of HAR 1.2 (and 1.1, which has fewer).
///
/// Each is a value over the JSON that it was read from: a property reads the field of its name, leniently, and setting
/// it replaces that field alone. What a property does not know stays in ``HARObject/fields``.
///
/// Source: http://www.softwareishard.com/blog/har-12-spec/
public enum HAR {}

extension HAR {
    /// A browser, described like every other program.
    public typealias Browser = Creator
}
