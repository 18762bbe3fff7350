import NIOCore
import NIOHTTP1
import NIOPosix

// Forwards requests with HTTP/1.1, as little as a proxy can do: it decodes, forwards and encodes messages on one event
// loop, with one connection to the server for each client, and without limits, TLS or recording.
//
//     Forwarder PORT SERVER-PORT

/// The end of a client's connection.
final class ClientEnd: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let serverPort: Int
    private var server: (any Channel)?

    /// The parts that wait for the connection to the server.
    private var waiting: [HTTPClientRequestPart] = []

    init(to serverPort: Int) { self.serverPort = serverPort }

    func channelActive(context: ChannelHandlerContext) {
        ClientBootstrap(group: context.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: serverPort).assumeIsolated().whenComplete { result in
                do {
                    let channel = try result.get()
                    try channel.pipeline.syncOperations.addHandlers([
                        HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()), ServerEnd(for: context),
                    ])
                    self.server = channel
                    for part in self.waiting { channel.write(part, promise: nil) }
                    channel.flush()
                } catch {
                    context.close(promise: nil)
                }
            }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part: HTTPClientRequestPart =
            switch unwrapInboundIn(data) {
            case .head(let head): .head(head)
            case .body(let bytes): .body(.byteBuffer(bytes))
            case .end(let trailers): .end(trailers)
            }
        if let server { server.write(part, promise: nil) } else { waiting.append(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { server?.flush() }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }
}

/// The end of a connection to the server.
final class ServerEnd: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let client: ChannelHandlerContext

    init(for client: ChannelHandlerContext) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part: HTTPServerResponsePart =
            switch unwrapInboundIn(data) {
            case .head(let head): .head(head)
            case .body(let bytes): .body(.byteBuffer(bytes))
            case .end(let trailers): .end(trailers)
            }
        client.write(NIOAny(part), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { client.flush() }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}

let ports = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard ports.count == 2 else { fatalError("expected two ports") }
let listener = try ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
    .serverChannelOption(.backlog, value: 1024)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { [serverPort = ports[1]] channel in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), ClientEnd(to: serverPort),
            ])
        }
    }
    .bind(host: "127.0.0.1", port: ports[0]).wait()
try listener.closeFuture.wait()
