public import Foundation
import HTTPArchive
import RecordingFormats
public import Relay

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
