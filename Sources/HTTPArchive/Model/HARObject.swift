/// One of HAR's objects: typed properties over the JSON that holds them.
///
/// Two are equal when their JSON is, unknown fields and the order of the fields included.
public protocol HARObject: Hashable, Sendable {
    /// The object as JSON, unknown fields included.
    var fields: JSONObject { get set }

    /// Takes an object as JSON.
    ///
    /// - Parameter fields: The object; what it lacks reads as its default.
    init(fields: JSONObject)
}

extension HARObject {
    /// A comment by the user or the tool, since HAR 1.2; `nil` when there is none.
    public var comment: String? {
        get { fields.text("comment") }
        set { fields["comment"] = newValue.map { .string(JSONString($0)) } }
    }

    /// Any field by its name, custom ones such as `_initiator` among them.
    ///
    /// - Parameter name: The name as the file has it.
    public subscript(name: String) -> JSONValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// The object in a field.
    func part<Part: HARObject>(_ name: StaticString) -> Part? {
        fields.object(name).map(Part.init(fields:))
    }

    /// The objects in a field's array; what is no object is passed over.
    func list<Part: HARObject>(_ name: StaticString) -> [Part]? {
        fields.objects(name, Part.init(fields:))
    }

    /// A number of bytes; `nil` for -1, which says that it is unknown.
    func size(_ name: StaticString) -> Int? {
        fields.int(name).flatMap { $0 < 0 ? nil : $0 }
    }

    /// A time in milliseconds; `nil` for -1, which says that it does not apply.
    func milliseconds(_ name: StaticString) -> Double? {
        fields.double(name).flatMap { $0 < 0 ? nil : $0 }
    }
}

extension JSONValue {
    /// A time as HAR writes it: -1 stands for one that is unknown.
    static func milliseconds(_ value: Double?) -> JSONValue {
        .number(value.flatMap { JSONNumber($0) } ?? JSONNumber(-1))
    }
}
