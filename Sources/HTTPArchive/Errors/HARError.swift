public import Foundation

/// An error thrown by this package.
///
/// ``code`` identifies the kind of failure for programs, and ``message`` describes the failure for people. Errors never
/// contain header values, cookies or bodies.
public struct HARError: Error, Sendable {
    /// The kind of failure.
    public let code: Code

    /// A description of the failure and how to proceed.
    public let message: String

    /// The location of the failure, which is safe to print.
    public let context: Context

    /// The error that caused this one, or `nil`.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A description of the failure and how to proceed, without header values, cookies or bodies.
    ///   - context: The location of the failure; empty by default.
    ///   - underlying: The error that caused this one; `nil` by default.
    public init(_ code: Code, _ message: String, at context: Context = Context(), underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.context = context
        self.underlying = underlying
    }
}

extension HARError {
    /// A kind of failure.
    ///
    /// Minor releases may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: CaseIterable {
            case unreadableFile, unwritableFile, fileInUse, malformedJSON, notAnArchive, limitExceeded, invalidOrder
            case bodyNotCaptured, entryNotReplayable, invalidRule, invalidSetting, editFailed, incompleteRecording
            case malformedRecording
        }

        private let kind: Kind

        /// The file cannot be opened or read.
        public static let unreadableFile = Self(kind: .unreadableFile)

        /// The file cannot be created or written.
        public static let unwritableFile = Self(kind: .unwritableFile)

        /// Another writer has the file open.
        public static let fileInUse = Self(kind: .fileInUse)

        /// The bytes are not valid JSON.
        public static let malformedJSON = Self(kind: .malformedJSON)

        /// The input is not an HTTP archive.
        public static let notAnArchive = Self(kind: .notAnArchive)

        /// The input exceeds one of the reader's limits.
        public static let limitExceeded = Self(kind: .limitExceeded)

        /// Parts of an archive were written in an invalid order.
        public static let invalidOrder = Self(kind: .invalidOrder)

        /// The archive does not contain the requested body.
        public static let bodyNotCaptured = Self(kind: .bodyNotCaptured)

        /// The matching entry contains no response that can be replayed.
        public static let entryNotReplayable = Self(kind: .entryNotReplayable)

        /// A pattern or a patch is invalid.
        public static let invalidRule = Self(kind: .invalidRule)

        /// A setting from outside the program, such as an environment variable, has an invalid value.
        public static let invalidSetting = Self(kind: .invalidSetting)

        /// An edit of a JSON document cannot be applied.
        public static let editFailed = Self(kind: .editFailed)

        /// Exchanges were still in progress when the recording ended.
        public static let incompleteRecording = Self(kind: .incompleteRecording)

        /// A recording made by another tool is not in that tool's format.
        public static let malformedRecording = Self(kind: .malformedRecording)

        /// All kinds, for tests.
        static var all: [Self] { Kind.allCases.map(Self.init) }

        /// The name of the kind, such as `malformedJSON`.
        public var description: String { "\(kind)" }
    }

    /// The location of a failure, which is safe to print.
    public struct Context: Hashable, Sendable {
        /// The path or name of the archive.
        public var file: String?

        /// The location in the document.
        public var pointer: JSONPointer?

        /// The offset in the file, in bytes.
        public var byteOffset: Int?

        /// The line, counted from 1.
        ///
        /// Only a line feed ends a line.
        public var line: Int?

        /// The column in Unicode code points, counted from 1 and excluding a byte order mark.
        ///
        /// For invalid JSON, the line and column match those reported by Python's `json` module.
        public var column: Int?

        /// Creates a context.
        ///
        /// - Parameters:
        ///   - file: The path or name of the archive.
        ///   - pointer: The location in the document.
        ///   - byteOffset: The offset in the file, in bytes.
        ///   - line: The line, counted from 1.
        ///   - column: The column in Unicode code points, counted from 1.
        public init(
            file: String? = nil, pointer: JSONPointer? = nil, byteOffset: Int? = nil, line: Int? = nil,
            column: Int? = nil
        ) {
            self.file = file
            self.pointer = pointer
            self.byteOffset = byteOffset
            self.line = line
            self.column = column
        }
    }
}

extension HARError.Context: CustomStringConvertible {
    /// The location in compiler style, such as `a.har:3:17: /log/entries/4 (byte 212)`, or an empty string if it is
    /// unknown.
    public var description: String {
        var location = file ?? ""
        if let line, let column { location += "\(location.isEmpty ? "" : ":")\(line):\(column)" }
        let parts = [location, pointer.map(\.description) ?? ""].filter { !$0.isEmpty }
        let offset = byteOffset.map { parts.isEmpty ? "byte \($0)" : " (byte \($0))" } ?? ""
        return parts.joined(separator: ": ") + offset
    }
}

extension HARError: CustomStringConvertible, LocalizedError {
    /// The location, followed by the message, with the code at the end of its first line.
    ///
    /// The page `Docs/Errors.md` explains the codes.
    public var description: String { Self.description(of: message, "\(code)", at: context) }

    /// The same text as ``description``.
    public var errorDescription: String? { description }

    /// Returns the description of an error of this package.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - code: The name of the code.
    ///   - context: The location.
    /// - Returns: The description.
    package static func description(of message: String, _ code: String, at context: Context) -> String {
        let location = context.description
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let first = "\(location.isEmpty ? "" : "\(location): ")\(lines.first ?? "") [\(code)]"
        return lines.count > 1 ? "\(first)\n\(lines[1])" : first
    }
}
