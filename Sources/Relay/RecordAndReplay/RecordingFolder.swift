import RelayCore
import RelayURLSession
import Foundation
import HTTPArchive
import RecordingFormats

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A folder all of whose recordings are replayed, and into which requests are recorded, as they come.
struct RecordingFolder: Sendable {
    /// The folder, which need not be there.
    let url: URL

    /// What is recorded into it.
    var layout = RecordingLayout.archive

    /// The archive that a request is recorded into.
    func archive(of request: URLRequest) -> URL {
        let name = url.lastPathComponent
        let stem = layout == .archive ? name : RequestFileName(of: request, in: name).text
        return url.appendingPathComponent(stem + ".har", isDirectory: false)
    }

    /// Removes the folder, if it is there.
    func remove() throws {
        do { try FileManager.default.removeItem(at: url) } catch CocoaError.fileNoSuchFile {}
    }

    /// What records a request in place of what was recorded before this process did.
    func recorder(of request: URLRequest, configuration: Interceptor.Configuration) -> Interceptor {
        Interceptor(recordingAnew: archive(of: request), configuration: configuration)
    }

    /// What replays all that is in the folder: archives, and recordings of other forms; `nil` where there is nothing.
    func player() throws(HARError) -> Interceptor? {
        let configuration = Interceptor.Configuration()
        var archives: [ReplaySource] = []
        var entries: [HAR.Entry] = []
        for file in files {
            if file.pathExtension == "json" {
                let recording = try RecordingFile(contentsOf: file)
                if let format = RecordingFormats.format(of: recording) {
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

    /// What was recorded that is near to a request, for messages; empty where nothing is.
    func nearest(to request: URLRequest) -> String {
        guard let player = try? player() else { return "" }
        return player.archives.miss(for: InterceptedRequest(request, body: request.httpBody)).message
    }

    /// The files with recordings, in the order of their names.
    private var files: [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return (all ?? []).filter { ["har", "json"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
