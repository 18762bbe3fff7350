import Foundation
import RelayCore

// A program that uses only the engine: compares a request with the entries of an archive.
let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../HARSamples")
let interceptor = try Interceptor(archive: samples.appendingPathComponent("chromium-embed.har"))
let request = InterceptedRequest(url: "http://127.0.0.1:8765/items")
print(interceptor.explanation(of: request).entries.filter(\.answers).count)
