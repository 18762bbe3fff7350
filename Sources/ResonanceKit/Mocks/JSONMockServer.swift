public import Foundation
import HTTPArchive
import RecordingFormats
public import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A mock server with responses from a folder of mocks: `Mocks/Api/People.json` contains the responses for the path
/// `api/people`.
///
/// A file is an array of mocks, `{"request": {…}, "status": 200, "method": "GET", "response": {…}}`. A mock matches if
/// the path (ignoring case) and the method match, and the request has all parameters of `request`. The request can have
/// additional parameters. If several mocks match, the mock with the most parameters is used. Among mocks with equally
/// many parameters, the last one in the file is used.
public final class JSONMockServer: Sendable {
    /// The interceptor that responds to requests.
    ///
    /// Rules added to it can change and delay responses, or pass requests through to the network.
    public let interceptor: Interceptor

    /// Reads the mocks in a folder and its subfolders.
    ///
    /// All settings except `matching` apply.
    ///
    /// - Throws: ``MockErrors``.
    public init(baseURL: URL, configuration: Interceptor.Configuration = Interceptor.Configuration()) throws {
        let entries = try Self.files(in: baseURL).flatMap { file in
            do {
                return try ResonanceKitMocks.entries(of: RecordingFile(contentsOf: file, below: baseURL))
            } catch let error as HARError {
                throw MockErrors(file: error)
            }
        }
        var configuration = configuration
        configuration.matching = RequestMatching(
            required: [.method, .pathIgnoringCase, .recordedParameters], repetition: .first)
        func parameterCount(_ entry: HAR.Entry) -> Int { entry.request["_parameters"]?.object?.members.count ?? 0 }
        interceptor = Interceptor(
            entries: entries.sorted { parameterCount($0) > parameterCount($1) }, name: baseURL.lastPathComponent,
            configuration: configuration)
    }

    /// Creates a server with the responses from a HAR archive.
    ///
    /// - Throws: `HARError` if the archive cannot be opened.
    public init(archive: URL, configuration: Interceptor.Configuration = Interceptor.Configuration()) throws {
        interceptor = try Interceptor(archive: archive, configuration: configuration)
    }

    private static func files(in folder: URL) throws(MockErrors) -> [URL] {
        // A URL created this way has a directory path only if the folder exists.
        guard URL(fileURLWithPath: folder.path).hasDirectoryPath,
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        else {
            let error = HARError(
                .unreadableFile, "The mocks folder does not exist or cannot be read. Check the path.",
                at: .init(file: folder.path))
            throw MockErrors(.mockFolderNotFound, error)
        }
        return paths.filter { $0.lowercased().hasSuffix(".json") }.sorted().map(folder.appendingPathComponent)
            .filter { !$0.hasDirectoryPath }
    }
}

/// A session that sends requests to a ``JSONMockServer`` instead of the network.
public final class JSONMockServerSession: NetworkSession {
    /// An error for a request without a mock.
    public typealias MockErrors = JSONMockServer.MockErrors

    private let session: URLSession

    /// Creates a session that uses a mock server.
    public init(mockServer: JSONMockServer) { session = mockServer.interceptor.session() }

    /// Starts a request.
    ///
    /// If no mock matches, the request fails with `JSONMockServer.MockErrors.loadFailure`, which describes the reason.
    public func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
        try session.loadData(request: request).then { result in
            do {
                return try result.get()
            } catch let error as RelayError where error.code == .noMatchingEntry {
                throw JSONMockServer.MockErrors(.loadFailure, error)
            }
        }
    }
}

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
