#if Server
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct WebSocketExamples {
        @Test func `a rule responds to messages`() {
            var configuration = RelayServer.Configuration()
            configuration.webSockets.ignoredMembers = ["clientVersion"]
            configuration.webSockets.rules = [
                WebSocketRule("wss://chat.example.com/**", policy: .free) { message in
                    message == .text("ping") ? [WebSocketResponse(.text("pong"))] : nil
                }
            ]
            #expect(configuration.webSockets.rules.first?.responses(.text("ping"))?.count == 1)
        }
    }
#endif
