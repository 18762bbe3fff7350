import Foundation
import HTTPArchive

extension BodyContent {
    /// Returns the differences from a recorded body.
    ///
    /// - Parameters:
    ///   - recorded: The recorded body.
    ///   - messages: The redaction for values in messages.
    /// - Returns: The differences.
    func differences(from recorded: BodyContent, _ messages: MessageRedaction) -> [MatchDifference] {
        switch (recorded, self) {
        case (.none, .none): []
        case (.bytes(let recorded), .bytes(let requested)): Self.bytes("body", recorded, requested)
        case (.json(let recorded, let ignored), .json(let requested, _)):
            Self.json("body", recorded, requested, ignoring: ignored, messages)
        case (.form(let recorded, let isFirstDeclared), .form(let requested, let isSecondDeclared)):
            Self.forms(recorded, requested, areDeclared: isFirstDeclared && isSecondDeclared, messages)
        case (.multipart(let recorded), .multipart(let requested)): Self.parts(recorded, requested, messages)
        case (.operations(let recorded), .operations(let requested)): Self.operations(recorded, requested, messages)
        case (.other(let recordedURL, let recorded), .other(let requestedURL, let requested)):
            KeyRule.Query.items(ignoring: []).differences(requested: requestedURL, recorded: recordedURL, messages)
                + requested.differences(from: recorded, messages)
        default: [MatchDifference("body", recorded: recorded.kind, requested: kind)]
        }
    }

    private static func bytes(_ part: String, _ recorded: Data, _ requested: Data) -> [MatchDifference] {
        guard recorded != requested else { return [] }
        let sizes = [recorded, requested].map { MessageText.bytes($0.count) }
        return [MatchDifference(part, recorded: sizes[0], requested: sizes[1])]
    }

    private static func json(
        _ part: String, _ recorded: JSONValue, _ requested: JSONValue, ignoring ignored: [JSONPointer],
        _ messages: MessageRedaction
    ) -> [MatchDifference] {
        let differences = requested.differences(from: recorded, ignoring: ignored, limit: MatchDifference.limit)
        guard !differences.isEmpty else { return [] }
        let (shownRecorded, shownRequested) = (messages.json(recorded), messages.json(requested))
        return differences.map { difference in
            let pointer = difference.pointer
            let isThere = difference.kind != .missingThere
            let isHere = difference.kind != .missingHere
            return MatchDifference(
                part, of: pointer.components.isEmpty ? "the whole value" : pointer.description,
                recorded: isThere ? shownRecorded?.shownValue(at: pointer) ?? "" : nil,
                requested: isHere ? shownRequested?.shownValue(at: pointer) ?? "" : nil)
        }
    }

    private static func forms(
        _ recorded: FormItems, _ requested: FormItems, areDeclared: Bool, _ messages: MessageRedaction
    ) -> [MatchDifference] {
        // The names in a body that is wrongly declared as a form are arbitrary content, so they are not printed.
        guard areDeclared, recorded.values.keys.allSatisfy(FormItems.isName),
            requested.values.keys.allSatisfy(FormItems.isName)
        else {
            return recorded == requested ? [] : [MatchDifference("body", recorded: "form", requested: "form")]
        }
        return MatchDifference.ofNamedValues("form", recorded: recorded.values, requested: requested.values) {
            name, value in messages.value(value, named: name)
        }
    }

    private static func parts(
        _ recorded: [MultipartBody.Part], _ requested: [MultipartBody.Part], _ messages: MessageRedaction
    ) -> [MatchDifference] {
        let pairs = (0..<max(recorded.count, requested.count)).lazy.map { index in
            (index, index < recorded.count ? recorded[index] : nil, index < requested.count ? requested[index] : nil)
        }
        return pairs.filter { $0.1 != $0.2 }.prefix(MatchDifference.limit).map { index, first, second in
            let labels = [first, second].map { $0?.label(index) }
            let texts = [first, second].map { $0?.shownContent(messages) }
            let areNamed = first == nil || second == nil || labels[0] == labels[1]
            guard areNamed, let label = labels[0] ?? labels[1] else {
                return MatchDifference("part", recorded: labels[0], requested: labels[1])
            }
            return MatchDifference("part", of: label, recorded: texts[0], requested: texts[1])
        }
    }

    private static func operations(
        _ recorded: [GraphQLOperation], _ requested: [GraphQLOperation], _ messages: MessageRedaction
    ) -> [MatchDifference] {
        guard recorded.count == requested.count else {
            let counts = [recorded, requested].map { "\($0.count) \($0.count == 1 ? "operation" : "operations")" }
            return [MatchDifference("GraphQL", recorded: counts[0], requested: counts[1])]
        }
        return zip(recorded, requested).lazy.filter { $0 != $1 }.prefix(MatchDifference.limit).flatMap {
            recorded, requested in
            guard recorded.name == requested.name, recorded.document == requested.document else {
                return [MatchDifference("GraphQL", recorded: recorded.label, requested: requested.label)]
            }
            return json("variables", recorded.variables, requested.variables, ignoring: [], messages)
        }
    }
}

extension JSONValue {
    /// Returns the text of the value at a location, or nil if redaction replaced an array or object that contains it.
    fileprivate func shownValue(at pointer: JSONPointer) -> String? {
        var value = self
        for component in pointer.components {
            switch value {
            case .object(let object):
                guard let member = object.members.last(where: { $0.name.text == component }) else { return nil }
                value = member.value
            case .array(let elements):
                guard let index = Int(component), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return String(decoding: value.data(layout: .compact), as: UTF8.self)
    }
}

extension FormItems {
    /// Whether a string looks like the name of an item rather than its content.
    fileprivate static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789_-.:[]$".unicodeScalars.contains($0)
            }
    }
}

extension MultipartBody.Part {
    /// Returns the part's label for messages: its name, or its number if the name is not safe to print.
    fileprivate func label(_ index: Int) -> String { FormItems.isName(name) ? name : "part \(index + 1)" }

    /// Returns the redacted text of a short field, or the size of any other part.
    fileprivate func shownContent(_ messages: MessageRedaction) -> String {
        guard fileName == nil, FormItems.isName(name), content.count <= 80,
            let text = String(validating: content, as: UTF8.self)
        else { return MessageText.bytes(content.count) }
        return messages.value(text, named: name)
    }
}

extension GraphQLOperation {
    /// The operation's label for messages: its name, or a description if it has no valid name.
    fileprivate var label: String {
        guard let name else { return "an anonymous operation" }
        return name.allSatisfy(Self.isOfName) ? name : "an operation with an invalid name"
    }
}
