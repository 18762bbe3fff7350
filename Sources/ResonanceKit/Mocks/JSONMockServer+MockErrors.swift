public import Foundation
public import HTTPArchive

extension JSONMockServer {
    /// What is wrong with a mock, or with a request for which there is none; two are equal when they are of one kind.
    public struct MockErrors: Error, Equatable {
        /// A file cannot be read, or nothing answers a request.
        public static let loadFailure = Self(name: "loadFailure")
        /// There is no folder of mocks.
        public static let mockFolderNotFound = Self(name: "mockFolderNotFound")
        /// A file is no array of mocks.
        public static let mockFileDidNotParse = Self(name: "mockFileDidNotParse")
        /// A mock has no `response`.
        public static let mockResponseMissing = Self(name: "mockResponseMissing")
        /// A mock has no `request` with the parameters.
        public static let mockRequestMissing = Self(name: "mockRequestMissing")
        /// A mock has no `status` of HTTP.
        public static let mockStatusMissing = Self(name: "mockStatusMissing")
        /// A mock has no `method`.
        public static let mockMethodMissing = Self(name: "mockMethodMissing")

        private let name: String

        /// Which file, which place in it, and what is wrong there; `nil` for what is only the name of a kind.
        public private(set) var details: HARError?

        /// Whether two errors are of one kind, wherever they happened.
        public static func == (first: Self, second: Self) -> Bool { first.name == second.name }

        /// Whether an error is one of a kind, as `catch` asks.
        public static func ~= (kind: Self, error: any Error) -> Bool { (error as? Self) == kind }
    }
}

extension JSONMockServer.MockErrors: CustomStringConvertible, LocalizedError {
    /// An error of a kind.
    init(_ kind: Self, _ details: HARError) {
        self = kind
        self.details = details
    }

    /// What is wrong with a file.
    init(file error: HARError) {
        // The place is that of a mock, and in it that of a field.
        switch (error.code, error.context.pointer?.components.dropFirst().first) {
        case (.malformedRecording, "response"): self.init(.mockResponseMissing, error)
        case (.malformedRecording, "request"): self.init(.mockRequestMissing, error)
        case (.malformedRecording, "status"): self.init(.mockStatusMissing, error)
        case (.malformedRecording, "method"): self.init(.mockMethodMissing, error)
        case (.unreadableFile, _), (.limitExceeded, _): self.init(.loadFailure, error)
        default: self.init(.mockFileDidNotParse, error)
        }
    }

    /// The kind, and what is wrong where.
    public var description: String { details.map { "\(name): \($0)" } ?? name }

    /// The kind, and what is wrong where.
    public var errorDescription: String? { description }
}
