import Foundation
import Innernet
import Measuring
import Relay
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Records requests with different URLs one after another, and prints the seconds per hundred as a line of JSON.

let usage = "Usage: Recorders \(Recorder.allCases.map(\.rawValue).joined(separator: "|")) COUNT URL FOLDER [PORT]"

/// The recorders to measure.
enum Recorder: String, CaseIterable {
    case archive, files, live, recordingTo, mode, vinyl, console

    /// Starts recording.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recording.
    ///   - port: The port of Innernet's console.
    /// - Returns: A closure that sends a request, and a closure that ends the recording.
    /// - Throws: An error if the interceptor cannot be created.
    func start(
        in folder: URL, port: Int?
    ) throws -> (send: (URLRequest) async throws -> Void, end: () async -> Void) {
        let archive = folder.appendingPathComponent("recorded.har")
        switch self {
        case .archive, .files:
            let processor = RecordingAndReplayingRequestProcessor(
                directoryPath: folder.appendingPathComponent("Tests.swift").path, sessionFolderName: "recorded",
                isRecordingEnabled: true, layout: self == .archive ? .archive : .fileForEachRequest)
            return ({ _ = try await processor.process(request: $0) }, { processor.stop() })
        case .live:
            let processor = LiveRequestAndReplayRequestProcessor()
            return ({ _ = try await processor.process(request: $0) }, {})
        case .recordingTo: return Self.recording(with: try Interceptor(recordingTo: archive))
        case .mode:
            return Self.recording(
                with: try Interceptor.replaying(
                    "recorded", mode: .new, filePath: folder.appendingPathComponent("Tests.swift").path))
        case .vinyl:
            let turntable = Turntable(
                configuration: TurntableConfiguration(recordingMode: .missingTracks(recordingPath: archive.path)),
                urlSession: URLSession(configuration: .ephemeral))
            turntable.load(vinyl: Vinyl(tracks: []))
            return ({ _ = try await turntable.data(for: $0) }, { turntable.stopRecording() })
        case .console:
            Innernet.allowsPassthroughRequests = true
            Innernet.enableExternalConsole(port: port ?? 0)
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.protocolClasses = [Innernet.InterceptProtocol.self]
            let session = URLSession(configuration: configuration)
            return ({ _ = try await session.data(for: $0) }, { Innernet.disableExternalConsole() })
        }
    }

    private static func recording(
        with interceptor: Interceptor
    ) -> (send: (URLRequest) async throws -> Void, end: () async -> Void) {
        let session = interceptor.session()
        return ({ _ = try await session.data(for: $0) }, { _ = await interceptor.finishRecording() })
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4, let recorder = Recorder(rawValue: arguments[0]), let count = Int(arguments[1]) else {
    fatalError(usage)
}
let (send, end) = try recorder.start(
    in: URL(fileURLWithPath: arguments[3]), port: arguments.dropFirst(4).first.flatMap { Int($0) })
var times: [Double] = []
for start in stride(from: 0, to: count, by: 100) {
    times.append(
        try await seconds {
            for number in start..<start + 100 {
                guard let url = URL(string: "\(arguments[2])?number=\(number)") else { throw URLError(.badURL) }
                try await send(URLRequest(url: url))
            }
        })
}
await end()
try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(times) + Data("\n".utf8))
