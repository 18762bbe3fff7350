#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import YAMLDocuments
    import Yams

    /// A value in a rule file, with its location for error messages.
    struct RuleFileValue {
        let node: Node

        /// A rule file.
        struct File {
            let url: URL

            /// Whether body files can be outside the folder of the rule file.
            let allowsAnyBodyFile: Bool
        }

        /// The rule file.
        let file: File

        /// The description of the value in messages, such as `'status'`.
        let title: String

        /// Returns an error at the location of this value.
        ///
        /// - Parameters:
        ///   - message: A description of the problem and its solution, in complete sentences.
        ///   - underlying: The cause of the error; nil by default.
        /// - Returns: The error.
        func error(_ message: String, because underlying: (any Error)? = nil) -> RelayError {
            let place = HARError.Context(file: file.url.relativePath, line: node.mark?.line, column: node.mark?.column)
            return RelayError(.invalidRule, message, at: place, underlying: underlying)
        }

        /// Runs a throwing function, and adds the location of this value to its error.
        func locating<Result>(_ make: () throws -> Result) throws(RelayError) -> Result {
            do {
                return try make()
            } catch let error as RelayError {
                throw self.error(error.message, because: error)
            } catch let error as HARError {
                throw self.error(error.message, because: error)
            } catch {
                throw self.error("The value of \(title) is invalid.", because: error)
            }
        }

        /// Returns an error for a value of another type.
        func mismatch(_ expected: String) -> RelayError {
            error("Expected \(expected) as \(title), found \(kind).")
        }

        private var kind: String {
            switch node {
            case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
            case .scalar(let scalar): "'\(MessageText.printable(String(scalar.string.prefix(40))))'"
            case .mapping: "a mapping"
            case .sequence: "a list"
            case .alias: "an alias"
            }
        }

        // MARK: - Mappings

        /// Returns the members of a mapping, in order.
        ///
        /// - Parameter expected: The description of the mapping for an error message.
        /// - Returns: The members.
        /// - Throws: `invalidRule` if the value is not a mapping.
        func members(_ expected: String) throws(RelayError) -> [(key: String, value: RuleFileValue)] {
            guard case .mapping(let mapping) = node else { throw mismatch(expected) }
            var members: [(key: String, value: RuleFileValue)] = []
            for (key, value) in mapping {
                guard case .scalar(let scalar) = key else {
                    throw RuleFileValue(node: key, file: file, title: "a key").mismatch("a name")
                }
                let title = "'\(MessageText.printable(scalar.string))'"
                members.append((scalar.string, RuleFileValue(node: value, file: file, title: title)))
            }
            return members
        }

        /// Returns the members of a mapping whose keys are fixed.
        ///
        /// - Parameters:
        ///   - keys: The valid keys.
        ///   - expected: The description of the mapping for an error message.
        /// - Returns: The members, in order.
        /// - Throws: `invalidRule` at the first unknown key, with the nearest valid key.
        func members(among keys: [String], _ expected: String) throws(RelayError) -> [(
            key: String, value: RuleFileValue
        )] {
            let members = try members(expected)
            guard case .mapping(let mapping) = node else { return members }
            for (key, _) in mapping {
                guard let name = key.string, !keys.contains(name) else { continue }
                let advice =
                    EditDistance.nearest(to: name, in: keys).map { "Did you mean '\($0)'?" }
                    ?? "Valid keys are \(keys.joined(separator: ", "))."
                throw RuleFileValue(node: key, file: file, title: title)
                    .error("Unknown key '\(MessageText.printable(String(name.prefix(40))))' in \(title). \(advice)")
            }
            return members
        }

        // MARK: - Lists

        /// The elements of a list, or the value itself if it is not a list.
        var elements: [RuleFileValue] {
            guard case .sequence(let sequence) = node else { return [self] }
            return sequence.map { RuleFileValue(node: $0, file: file, title: title) }
        }

        /// Returns the elements of a list.
        func list(_ expected: String) throws(RelayError) -> [RuleFileValue] {
            guard case .sequence = node else { throw mismatch(expected) }
            return elements
        }

        // MARK: - Scalars

        /// Returns text; numbers and other scalars count as text.
        func text(_ expected: String) throws(RelayError) -> String {
            guard case .scalar(let scalar) = node, !isNull else { throw mismatch(expected) }
            return scalar.string
        }

        /// Whether the value is null or missing.
        var isNull: Bool {
            guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
            return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
        }

        /// Returns a number, which must be whole if the range is one of integers.
        func number<Number: LosslessStringConvertible>(
            _ range: ClosedRange<Number>, _ expected: String
        ) throws(RelayError) -> Number {
            guard let number = try Number(text(expected)), range.contains(number) else { throw mismatch(expected) }
            return number
        }

        /// Requires the value `true`.
        func confirm() throws(RelayError) {
            guard try text("true") == "true" else { throw mismatch("true") }
        }

        /// Returns a duration with a unit, such as `250ms`, `1.5s` or `2m`.
        func duration() throws(RelayError) -> Duration {
            let expected = "a duration with a unit, such as 250ms, 1.5s or 2m,"
            let text = try text(expected)
            let digits = text.prefix { $0.isNumber || $0 == "." }
            let units = ["ms": 0.001, "s": 1, "m": 60]
            let unit = units[text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)]
            guard let unit, let number = Double(digits), number * unit <= 31_536_000 else { throw mismatch(expected) }
            return Duration(clampingSeconds: number * unit)
        }

        /// Any value as JSON.
        var json: JSONValue { YAMLDocument.value(of: node) }
    }
#endif
