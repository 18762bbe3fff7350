import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A program that uses Relay: the requests of all sessions are answered from an archive given by name.
let interceptor = try Interceptor.replaying("../../../../HARSamples/chromium-embed", mode: .replay)
guard let url = URL(string: "http://127.0.0.1:8765/items") else { exit(1) }
let (data, _) = try await interceptor.interceptEverySession { try await URLSession.shared.data(from: url) }
print(String(decoding: data, as: UTF8.self))
