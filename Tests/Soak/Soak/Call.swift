import Foundation
import FoundationNetworking

/// A request that may be canceled.
struct Call: Sendable {
    /// The time of a cancellation.
    enum Cancellation: Sendable {
        case never, immediately, afterEnd

        /// After a delay, during the request or after its end.
        case after(Duration)

        /// Whether the cancellation can end the request.
        var isPossible: Bool {
            switch self {
            case .never, .afterEnd: false
            case .immediately, .after: true
            }
        }
    }

    let request: URLRequest
    let style: Client.Style
    let cancellation: Cancellation

    /// Creates a call with a random style.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isCanceled: Whether the call can be canceled at random; `true` by default.
    ///   - generator: The random generator for the request.
    init(_ request: URLRequest, isCanceled: Bool = true, using generator: inout SeededNumbers) {
        self.request = request
        style = Client.Style.allCases.randomElement(using: &generator) ?? .awaited
        cancellation =
            switch isCanceled ? Double.random(in: 0..<1, using: &generator) : 1 {
            case ..<0.02: .immediately
            case ..<0.10: .after(.microseconds(Int.random(in: 0...20_000, using: &generator)))
            case ..<0.12: .afterEnd
            default: .never
            }
    }

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - session: The session.
    /// - Returns: The body and the head of the response, or the error.
    func result(from client: Client, by session: URLSession) async -> Result<(Data, HTTPURLResponse), any Error> {
        let call = Task { try await client.load(request, by: session, as: style) }
        switch cancellation {
        case .never: break
        case .immediately: call.cancel()
        case .after(let time):
            try? await Task.sleep(for: time)
            call.cancel()
        case .afterEnd:
            _ = await call.result
            call.cancel()
        }
        return await call.result
    }
}
