import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A program that uses Relay: answers the requests of all sessions from an archive, which it looks up by name.
let interceptor = try Interceptor.replaying("../../../HARSamples/chromium-embed", mode: .replay)
guard let url = URL(string: "http://127.0.0.1:8765/items") else { exit(1) }
let (data, _) = try await interceptor.interceptEverySession { try await URLSession.shared.data(from: url) }
print(String(decoding: data, as: UTF8.self))
