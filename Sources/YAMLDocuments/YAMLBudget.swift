import CYaml
import Foundation
import HTTPArchive

/// The limits of a YAML document, checked before the document is composed in memory.
///
/// A composed document takes many times the memory of its text, and aliases can expand a short text to any size.
enum YAMLBudget {
    /// The maximum number of values, including values repeated by aliases.
    private static let valueLimit = 400_000

    /// The maximum nesting depth of collections.
    private static let depthLimit = 256

    /// Throws if the first document in a YAML text exceeds the limits.
    ///
    /// An alias counts as all the values of the node that it refers to.
    ///
    /// - Parameter data: The text. Invalid YAML is not an error here, because the parser reports it later.
    /// - Throws: `limitExceeded`, with line and column.
    static func check(_ data: Data) throws(HARError) {
        var failure: HARError?
        data.withUnsafeBytes { bytes in
            var parser = yaml_parser_t()
            guard yaml_parser_initialize(&parser) == 1 else { return }
            defer { yaml_parser_delete(&parser) }
            yaml_parser_set_input_string(&parser, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
            var counter = Counter()
            while counter.isUnfinished, failure == nil {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else { return }
                defer { yaml_event_delete(&event) }
                counter.take(event)
                failure = self.failure(counter, at: event.start_mark)
            }
        }
        if let failure { throw failure }
    }

    private static func failure(_ counter: Counter, at mark: yaml_mark_t) -> HARError? {
        let location = HARError.Context(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        if counter.depth > depthLimit { return nestingError(at: location) }
        guard counter.count > valueLimit else { return nil }
        return error("\(valueLimit) values, including aliases", at: location)
    }

    /// Returns the error for collections that are nested too deeply.
    static func nestingError(at location: HARError.Context) -> HARError {
        error("\(depthLimit) nested levels", at: location)
    }

    private static func error(_ limit: String, at location: HARError.Context) -> HARError {
        HARError(.limitExceeded, "more than \(limit); split the file, or convert it to JSON", at: location)
    }

    /// Counts the values of a document from parser events.
    private struct Counter {
        var count = 0
        var isUnfinished = true

        /// The number of open collections.
        var depth: Int { open.count }

        /// The open collections, each with the number of values before it and its anchor.
        private var open: [(start: Int, anchor: String?)] = []

        /// The number of values in the node of each anchor.
        private var sizes: [String: Int] = [:]

        mutating func take(_ event: yaml_event_t) {
            switch event.type {
            case YAML_SCALAR_EVENT:
                count += 1
                if let anchor = Self.text(event.data.scalar.anchor) { sizes[anchor] = 1 }
            case YAML_SEQUENCE_START_EVENT: begin(Self.text(event.data.sequence_start.anchor))
            case YAML_MAPPING_START_EVENT: begin(Self.text(event.data.mapping_start.anchor))
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                guard let (start, anchor) = open.popLast() else { return }
                if let anchor { sizes[anchor] = count - start }
            case YAML_ALIAS_EVENT: count += Self.text(event.data.alias.anchor).flatMap { sizes[$0] } ?? 1
            case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT: isUnfinished = false
            default: break
            }
        }

        private mutating func begin(_ anchor: String?) {
            open.append((count, anchor))
            count += 1
        }

        private static func text(_ bytes: UnsafeMutablePointer<UInt8>?) -> String? {
            bytes.map { String(cString: $0) }
        }
    }
}
