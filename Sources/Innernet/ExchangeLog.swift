import HTTPArchive
import Relay

/// A log with a line for each exchange of an interceptor.
///
/// Logging stops when this object is deallocated.
public final class ExchangeLog: Sendable {
    let write: @Sendable (String) -> Void
    private let reading: Task<Void, Never>

    init(of interceptor: Interceptor, write: @escaping @Sendable (String) -> Void) {
        self.write = write
        let exchanges = interceptor.exchanges
        reading = Task { for await exchange in exchanges { write("\(exchange)") } }
    }

    deinit { reading.cancel() }

    /// Writes a line to standard error.
    ///
    /// - Parameter line: The line, without a line break.
    public static func writeToStandardError(_ line: String) {
        StandardStreams.writeToStandardError("Innernet: \(line)\n")
    }
}
