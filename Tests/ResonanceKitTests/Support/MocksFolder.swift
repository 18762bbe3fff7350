import Foundation
import ResonanceKit

/// A temporary folder named `Mocks`, which is removed when this object is deallocated.
final class MocksFolder: Sendable {
    let url: URL

    /// Creates the folder with files, whose names can include folders.
    init(_ files: KeyValuePairs<String, String>, name: String = "Mocks") throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("resonance-\(UUID().uuidString)")
        url = parent.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    /// Returns a session that uses the folder.
    func session() throws -> JSONSession {
        JSONSession(JSONMockServerSession(mockServer: try JSONMockServer(baseURL: url)))
    }
}
