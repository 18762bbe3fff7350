public import Foundation
import HTTPArchive

extension JSONMockServer {
    /// An error for an invalid mock, or for a request without a mock.
    ///
    /// Two errors are equal if they are of the same kind.
    public struct MockErrors: Error, Equatable {
        /// A file cannot be read, or no mock matches a request.
        public static let loadFailure = Self(name: "loadFailure")
        /// The folder of mocks does not exist.
        public static let mockFolderNotFound = Self(name: "mockFolderNotFound")
        /// A file is not an array of mocks.
        public static let mockFileDidNotParse = Self(name: "mockFileDidNotParse")
        /// A mock has no `response`.
        public static let mockResponseMissing = Self(name: "mockResponseMissing")
        /// A mock has no `request` with parameters.
        public static let mockRequestMissing = Self(name: "mockRequestMissing")
        /// A mock has no `status`, or its `status` is not an HTTP status code.
        public static let mockStatusMissing = Self(name: "mockStatusMissing")
        /// A mock has no `method`.
        public static let mockMethodMissing = Self(name: "mockMethodMissing")

        /// The parameters of a mock cannot be parsed.
        ///
        /// The library does not throw this error: ``mockRequestMissing`` is thrown when the mocks are read.
        public static let paramsDidNotParse = Self(name: "paramsDidNotParse")
        /// A response cannot be created.
        ///
        /// The library does not throw this error.
        public static let requestCreationFailure = Self(name: "requestCreationFailure")

        private let name: String

        /// The file, the location in the file, and the reason.
        ///
        /// It is `nil` for the constants of this type.
        public private(set) var details: (any Error)?

        /// Whether two errors are of the same kind.
        public static func == (first: Self, second: Self) -> Bool { first.name == second.name }

        /// Returns whether an error is of a given kind, for `catch` patterns.
        public static func ~= (kind: Self, error: any Error) -> Bool { (error as? Self) == kind }
    }
}

extension JSONMockServer.MockErrors: CustomStringConvertible, LocalizedError {
    /// Creates an error of a given kind.
    init(_ kind: Self, _ details: any Error) {
        self = kind
        self.details = details
    }

    /// Creates an error for an invalid file.
    init(file error: HARError) {
        // The JSON pointer consists of the index of a mock and the name of one of its fields.
        switch (error.code, error.context.pointer?.components.dropFirst().first) {
        case (.malformedRecording, "response"): self.init(.mockResponseMissing, error)
        case (.malformedRecording, "request"): self.init(.mockRequestMissing, error)
        case (.malformedRecording, "status"): self.init(.mockStatusMissing, error)
        case (.malformedRecording, "method"): self.init(.mockMethodMissing, error)
        case (.unreadableFile, _), (.limitExceeded, _): self.init(.loadFailure, error)
        default: self.init(.mockFileDidNotParse, error)
        }
    }

    /// The kind, the location, and the reason.
    public var description: String { details.map { "\(name): \($0)" } ?? name }

    /// The kind, the location, and the reason.
    public var errorDescription: String? { description }
}
