import Foundation
import RelayCore

// A program that uses only the engine: compares a request with the entries of an archive.
let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
let archive = folder.appendingPathComponent("../../../HARSamples/chromium-embed.har")
let interceptor = try Interceptor(archive: archive)
let request = InterceptedRequest(url: "http://127.0.0.1:8765/items")
print(interceptor.explanation(of: request).entries.filter(\.answers).count)
