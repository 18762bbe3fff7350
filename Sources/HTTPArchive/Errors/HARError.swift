public import Foundation

/// An error thrown by this package.
///
/// People read ``message``; code switches on ``code``. Header values, cookies and bodies never appear in it.
public struct HARError: Error, Sendable {
    /// The kind of failure.
    public let code: Code

    /// What went wrong and what to try next.
    public let message: String

    /// Facts safe to print: where it happened.
    public let context: Context

    /// The failure below this one, if any.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What went wrong and what to try next, without header values, cookies or bodies.
    ///   - context: Where it happened; empty by default.
    ///   - underlying: The failure below this one, if any.
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
        private enum Kind {
            case unreadableFile, unwritableFile, fileInUse, malformedJSON, notAnArchive, limitExceeded, invalidOrder
            case bodyNotCaptured, entryNotReplayable, invalidRule, invalidSetting, editFailed, incompleteRecording
            case malformedRecording
        }

        private let kind: Kind

        /// The file cannot be opened or read.
        public static let unreadableFile = Self(kind: .unreadableFile)

        /// The file cannot be created or written.
        public static let unwritableFile = Self(kind: .unwritableFile)

        /// Somebody else is writing to the file.
        public static let fileInUse = Self(kind: .fileInUse)

        /// The bytes are not valid JSON.
        public static let malformedJSON = Self(kind: .malformedJSON)

        /// The input is something else than an HTTP archive.
        public static let notAnArchive = Self(kind: .notAnArchive)

        /// The input goes over one of the reader's limits.
        public static let limitExceeded = Self(kind: .limitExceeded)

        /// A part was written at a place where an archive cannot have it.
        public static let invalidOrder = Self(kind: .invalidOrder)

        /// The body that was asked for is not in the archive.
        public static let bodyNotCaptured = Self(kind: .bodyNotCaptured)

        /// The entry that matches the request holds nothing that could be delivered.
        public static let entryNotReplayable = Self(kind: .entryNotReplayable)

        /// A pattern or a patch is invalid.
        public static let invalidRule = Self(kind: .invalidRule)

        /// A setting from outside the program, such as an environment variable, that has none of the known values.
        public static let invalidSetting = Self(kind: .invalidSetting)

        /// An edit of a JSON document cannot be applied.
        public static let editFailed = Self(kind: .editFailed)

        /// Exchanges were still in progress when the recording ended.
        public static let incompleteRecording = Self(kind: .incompleteRecording)

        /// A recording of another tool has not the form that this tool gives it.
        public static let malformedRecording = Self(kind: .malformedRecording)

        /// The name of the kind, such as `malformedJSON`.
        public var description: String { "\(kind)" }
    }

    /// Where a failure happened: facts that are safe to print.
    public struct Context: Hashable, Sendable {
        /// The path or name of the archive.
        public var file: String?

        /// The place in the document.
        public var pointer: JSONPointer?

        /// The number of bytes before the place in the file.
        public var byteOffset: Int?

        /// The line of the place, counted from 1; a line ends with a line feed.
        public var line: Int?

        /// The column of the place in Unicode code points, counted from 1, without a byte order mark.
        ///
        /// Of broken JSON, line and column are those that Python's `json` module reports.
        public var column: Int?

        /// Creates a context.
        ///
        /// - Parameters:
        ///   - file: The path or name of the archive.
        ///   - pointer: The place in the document.
        ///   - byteOffset: The number of bytes before the place in the file.
        ///   - line: The line of the place, counted from 1.
        ///   - column: The column of the place in Unicode code points, counted from 1.
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
    /// The place as compilers write it, such as `a.har:3:17: /log/entries/4 (byte 212)`; empty when nothing is known.
    public var description: String {
        var location = file ?? ""
        if let line, let column { location += "\(location.isEmpty ? "" : ":")\(line):\(column)" }
        let parts = [location, pointer.map(\.description) ?? ""].filter { !$0.isEmpty }
        let offset = byteOffset.map { parts.isEmpty ? "byte \($0)" : " (byte \($0))" } ?? ""
        return parts.joined(separator: ": ") + offset
    }
}

extension HARError: CustomStringConvertible, LocalizedError {
    /// The place, then the message.
    public var description: String {
        let location = context.description
        return location.isEmpty ? message : "\(location): \(message)"
    }

    /// The place, then the message.
    public var errorDescription: String? { description }
}
