#if Server
    import HTTPArchive
    import RelayCore

    /// A response in the form in which a connection sends it.
    struct PreparedResponse: Sendable {
        enum Form: Sendable {
            case failure(any Error)

            /// A response whose status is not final.
            case invalidStatus(Int)

            /// A response that is sent at once.
            case complete(ServedResponse)

            /// A recorded WebSocket connection.
            case webSocket(WebSocketScript)

            /// A response whose body is sent in parts, and the size of the body in memory, in bytes.
            case transfer(ServedResponse, BodyTransfer, size: Int)
        }

        let form: Form

        /// The time before the first byte.
        let delay: Duration

        /// Converts a response, which takes long for a large body.
        ///
        /// - Parameters:
        ///   - delivered: The response with its pace.
        ///   - served: The request.
        ///   - script: A closure that reads an entry of a WebSocket connection.
        init(
            of delivered: Reply, for served: ServedRequest,
            script: (HAR.Entry) -> WebSocketScript = WebSocketScript.init
        ) {
            delay = delivered.pace.delay
            switch delivered.result {
            case .failure(let error) where error is HARError:
                form = delivered.upgrade.map { .webSocket(script($0)) } ?? .failure(error)
            case .failure(let error): form = .failure(error)
            case .success(let response):
                if let entry = delivered.upgrade {
                    form = .webSocket(script(entry))
                    return
                }
                let method = served.request.method
                let isTruncated = delivered.breakOff != nil
                let convert = { ServedResponse(response, method: method, isTruncated: isTruncated) }
                // Other requests may use the same response with its body.
                guard var converted = method == "HEAD" ? convert() : delivered.converted(convert) else {
                    form = .invalidStatus(response.status)
                    return
                }
                if converted.namesOrigin, let mapping = served.mapping { converted = converted.mapped(by: mapping) }
                if delivered.isImmediate, converted.http1 != nil {
                    form = .complete(converted)
                } else {
                    let transfer = BodyTransfer(of: delivered, hasBody: converted.hasBody)
                    form = .transfer(converted, transfer, size: converted.hasBody ? response.body.count : 0)
                }
            }
        }
    }
#endif
