#if Server
    import NIOCore
    import Testing

    @testable import RelayServer

    @Suite struct FairWorkTests {
        private func destination(of input: String) -> Destination? {
            Array(input.utf8).withUnsafeBytes { Destination(ofRequestIn: $0) }
        }

        @Test func `a destination with little work does not wait for one with very much`() {
            var steps: [String] = []
            var work = FairWork()
            let (many, few) = (Destination("many.example"), Destination("few.example"))
            for _ in 0..<100 { work.append({ steps.append("many") }, for: many) }
            for _ in 0..<2 { work.append({ steps.append("few") }, for: few) }
            while let next = work.take() { next() }
            #expect(steps.count == 102)
            #expect(steps.lastIndex(of: "few") ?? .max <= 4)
            #expect(work.isEmpty)
        }

        @Test func `a destination with little work does not wait for very many others`() {
            var steps: [Int] = []
            var work = FairWork()
            for number in 0..<100 {
                work.append({ steps.append(number) }, for: Destination("\(number).example"))
            }
            while let next = work.take() { next() }
            #expect(steps.sorted() == Array(0..<100))
            // The latest and the oldest have their turns alternately.
            #expect(steps.prefix(4).contains(99) && steps.prefix(4).contains(0))
        }

        @Test func `work for a destination that waits stays until it is allowed`() {
            var steps: [String] = []
            var work = FairWork()
            let destinations = ["a", "b", "c"].map { Destination($0) }
            for (name, destination) in zip(["a", "b", "c"], destinations) {
                for _ in 0..<2 { work.append({ steps.append(name) }, for: destination) }
            }
            while let next = work.take(where: { $0 == destinations[2] }) { next() }
            #expect(steps == ["c", "c"])
            #expect(work.contains { $0 == destinations[0] } && !work.contains { $0 == destinations[2] })
            while let next = work.take() { next() }
            #expect(steps.sorted() == ["a", "a", "b", "b", "c", "c"])
        }

        @Test(arguments: [
            ("GET http://shop.example/a?b=c HTTP/1.1\r\n", "shop.example"),
            ("GET http://shop.example HTTP/1.1\r\n", "shop.example"),
            ("GET http://SHOP.example:80?a HTTP/1.1\r\n", "shop.example"),
            ("POST https://shop.example:8443/ HTTP/1.1\r\n", "shop.example:8443"),
            ("CONNECT shop.example:443 HTTP/1.1\r\n", "shop.example"),
            ("CONNECT [::1]:8443 HTTP/1.1\r\n", "::1:8443"),
        ])
        func `the destination of a request is its host and port`(input: String, host: String) {
            #expect(destination(of: input) == Destination(host))
        }

        @Test(arguments: [
            "", "GET", "GET ", "GET / HTTP/1.1\r\nHost: shop.example\r\n", "GET /?a=http://b.example/ HTTP/1.1",
            "PRI * HTTP/2.0", "\u{16}\u{3}\u{1} CONNECT a:443", "GET http:/", "://", " ://a",
            "aaaaaaaaaaaaaaaaaaaaaaaa http://b.example/",
        ])
        func `other input has no destination`(input: String) {
            #expect(destination(of: input) == nil)
        }

        @Test func `the destination of a URL and its request is the same`() {
            #expect(Destination(ofURL: "https://Shop.example/a") == Destination("shop.example:443"))
            #expect(Destination(ofURL: "http://[::1]:90/a") == Destination("::1:90"))
            #expect(Destination(ofURL: "no URL") == .unknown)
        }
    }
#endif
