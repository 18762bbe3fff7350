public import Foundation
import HTTPArchive
import RecordingFormats
public import Relay

/// Answers requests from a folder of mocks: `Mocks/Api/People.json` has the answers for the path `api/people`.
///
/// A file is an array of mocks, `{"request": {…}, "status": 200, "method": "GET", "response": {…}}`. Path, in any case,
/// and method choose among them, and then `request`: these parameters have to be sent, others may be. Where several fit,
/// the one that names the most parameters answers; of these, the last one of the file.
public final class JSONMockServer: Sendable {
    /// What answers; rules that are added to it change and delay answers, or let requests pass to the network.
    public let interceptor: Interceptor

    /// Reads the mocks of a folder and of those in it, or throws ``MockErrors``; of the settings all but `matching` count.
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

    /// Answers from a HAR archive, or throws a `HARError` where it cannot be opened.
    public init(archive: URL, configuration: Interceptor.Configuration = Interceptor.Configuration()) throws {
        interceptor = try Interceptor(archive: archive, configuration: configuration)
    }

    private static func files(in folder: URL) throws(MockErrors) -> [URL] {
        // Such a URL knows whether it is that of a folder.
        guard URL(fileURLWithPath: folder.path).hasDirectoryPath,
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        else {
            let error = HARError(.unreadableFile, "There is no folder that can be read.", at: .init(file: folder.path))
            throw MockErrors(.mockFolderNotFound, error)
        }
        return paths.filter { $0.lowercased().hasSuffix(".json") }.sorted().map(folder.appendingPathComponent)
            .filter { !$0.hasDirectoryPath }
    }
}
