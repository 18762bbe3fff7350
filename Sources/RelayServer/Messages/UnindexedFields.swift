#if Server
    import NIOCore
    import NIOHPACK
    import NIOHTTP2

    /// Sends header fields without adding them to the table of the connection.
    ///
    /// The other end chooses the size of the table (https://www.rfc-editor.org/rfc/rfc7541#section-4.2). The encoder compares
    /// each field with all entries of the table, which takes milliseconds if there are very many.
    final class UnindexedFields: ChannelOutboundHandler {
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .headers(var block) = unwrapOutboundIn(data) else {
                return context.write(data, promise: promise)
            }
            block.headers = block.headers.unindexed
            context.write(wrapOutboundOut(.headers(block)), promise: promise)
        }
    }

    extension HPACKHeaders {
        /// The same fields, which the encoder does not add to its table.
        var unindexed: HPACKHeaders {
            var result = HPACKHeaders()
            for (name, value, _) in self { result.add(name: name, value: value, indexing: .nonIndexable) }
            return result
        }
    }

    extension HTTP2Frame {
        /// Whether the frame allows a table of header fields that takes long to search.
        var allowsLargeTable: Bool {
            guard case .settings(.settings(let settings)) = payload else { return false }
            return settings.contains { $0.parameter == .headerTableSize && $0.value > 1 << 16 }
        }
    }
#endif
