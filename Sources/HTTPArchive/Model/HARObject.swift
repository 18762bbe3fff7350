/// An object in an HTTP archive, with typed access to its JSON.
///
/// Two objects are equal if their JSON is equal, including unknown fields and the order of fields.
public protocol HARObject: Hashable, Sendable {
    /// The object as JSON, including unknown fields.
    var fields: JSONObject { get set }

    /// Creates an object from JSON.
    ///
    /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
    init(fields: JSONObject)
}

extension HARObject {
    /// A comment by the user or the recording tool, or `nil` if it is missing.
    ///
    /// Since HAR 1.2.
    public var comment: String? {
        get { fields.text("comment") }
        set { fields["comment"] = newValue.map { .string(JSONString($0)) } }
    }

    /// The value of any field, including custom fields such as `_initiator`.
    ///
    /// - Parameter name: The name of the field.
    public subscript(name: String) -> JSONValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// Returns the object in a field, or `nil` if the field is not an object.
    func part<Part: HARObject>(_ name: StaticString) -> Part? {
        fields.object(name).map(Part.init(fields:))
    }

    /// Returns the objects in an array field, skipping values of other types, or `nil` if the field is not an array.
    func list<Part: HARObject>(_ name: StaticString) -> [Part]? {
        fields.objects(name, Part.init(fields:))
    }

    /// Returns a size in bytes, or `nil` if it is missing or negative.
    ///
    /// In HAR, -1 means that the size is unknown.
    func size(_ name: StaticString) -> Int? {
        fields.int(name).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns a duration in milliseconds, or `nil` if it is missing or negative.
    ///
    /// In HAR, -1 means that the duration is unknown or does not apply.
    func milliseconds(_ name: StaticString) -> Double? {
        fields.double(name).flatMap { $0 < 0 ? nil : $0 }
    }
}

extension JSONValue {
    /// Returns the JSON number for a duration, or -1 if the duration is unknown.
    package static func milliseconds(_ value: Double?) -> JSONValue {
        .number(value.flatMap { JSONNumber($0) } ?? JSONNumber(-1))
    }
}
