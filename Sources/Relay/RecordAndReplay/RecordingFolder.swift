import Foundation
import HTTPArchive
import RecordingFormats

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A folder of recordings, which can be replayed and extended.
struct RecordingFolder: Sendable {
    /// The URL of the folder, which does not have to exist.
    let url: URL

    /// The layout for new recordings.
    var layout = RecordingLayout.archive

    /// Returns the archive that a request is recorded into.
    func archive(of request: URLRequest) -> URL {
        let name = url.lastPathComponent
        let stem = layout == .archive ? name : RequestFileName(of: request, in: name).text
        return url.appendingPathComponent(stem + ".har", isDirectory: false)
    }

    /// Removes the folder if it exists.
    func remove() throws {
        do { try FileManager.default.removeItem(at: url) } catch CocoaError.fileNoSuchFile {}
    }

    /// Returns an interceptor that replays all archives and other recordings in the folder, or nil if there are no
    /// recordings.
    func player() throws(HARError) -> Interceptor? {
        let configuration = Interceptor.Configuration()
        var archives: [ReplaySource] = []
        var entries: [HAR.Entry] = []
        for file in files {
            if file.pathExtension == "json" {
                let recording = try RecordingFile(contentsOf: file)
                if let format = RecordingFormats.all.format(of: recording) {
                    entries += try format.entries(of: recording)
                    continue
                }
            }
            archives.append(try OpenedArchives.shared.entries(of: file, configuration: configuration))
        }
        if !entries.isEmpty { archives.append(ReplaySource(entries, name: url.path)) }
        guard !archives.isEmpty else { return nil }
        return Interceptor(name: url.lastPathComponent, playing: archives, configuration: configuration)
    }

    /// Returns a description of the recordings nearest to a request, for messages; empty if there are no recordings.
    func nearest(to request: URLRequest) -> String {
        guard let player = try? player() else { return "" }
        return player.archives.miss(for: InterceptedRequest(request, body: request.httpBody)).message
    }

    /// The files that contain recordings, sorted by name.
    private var files: [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return (all ?? []).filter { ["har", "json"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
