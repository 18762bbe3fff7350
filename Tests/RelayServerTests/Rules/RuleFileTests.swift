#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct RuleFileTests {
        /// Reads rules from text.
        private func rules(_ text: String) throws -> [Rule] {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data("from a file".utf8).write(to: folder.appendingPathComponent("body.txt"))
            let file = folder.appendingPathComponent("rules.yaml")
            try Data(text.utf8).write(to: file)
            return try RuleFile(contentsOf: file).rules
        }

        /// Returns the responses to requests, in order.
        private func responses(
            _ text: String, to requests: InterceptedRequest..., entries: [HAR.Entry] = []
        ) async throws -> [Reply] {
            let interceptor = Interceptor(entries: entries)
            interceptor.add(try rules(text))
            var replies: [Reply] = []
            for request in requests {
                let decision = await withCheckedContinuation { continuation in
                    interceptor.decide(on: request, for: .server) { continuation.resume(returning: $0) }
                }
                replies.append(try #require(decision.immediateReply))
            }
            return replies
        }

        /// Returns the status and text of the response to a request.
        private func response(
            _ text: String, to request: InterceptedRequest, entries: [HAR.Entry] = []
        ) async throws -> String {
            let reply = try await responses(text, to: request, entries: entries)[0]
            let response = try reply.result.get()
            return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
        }

        private static let url = "https://api.example.com/items?page=2"

        @Test(arguments: [
            ("api.example.com/items?page=*", true), ("GET api.example.com/items?*", true),
            ("POST api.example.com/items?*", false),
            ("{method: get, host: api.example.com}", true), ("{path: /items}", true), ("{path: /other}", false),
            ("{exactly: 'https://api.example.com/items?page=2'}", true), ("{keywords: [a, items]}", true),
            ("{regularExpression: 'it[a-z]+s'}", true), ("{not: {method: GET}}", false), ("{not: POST **}", true),
            ("{anyOf: [POST **, GET **]}", true), ("{anyOf: [POST **, {host: b}]}", false),
            ("{query: {page: 2}}", true), ("{query: {page: 3}}", false), ("{query: {page: '*', q: null}}", true),
            ("{query: {page: null}}", false), ("{headers: {ACCEPT: '*json'}}", true),
            ("{headers: {accept: json}}", false),
            ("{headers: {Authorization: null}}", true), ("{body: {text: '{\"a\": {\"b\": [1, 2]}}'}}", true),
            ("{body: {contains: '[1, 2]'}}", true), ("{body: {contains: x}}", false),
            ("{body: {json: {a: {b: [1, 2]}}}}", true), ("{body: {json: {a: {b: [1]}}}}", false),
            ("{body: {jsonAt: {/a/b/1: 2, /a: {b: [1, 2.0]}}}}", true), ("{body: {jsonAt: {/a/c: null}}}", false),
            ("{url: '**', method: GET, body: {contains: a, jsonAt: {/a/b/0: 1}}}", true),
        ])
        func `a pattern selects requests`(pattern: String, matches: Bool) throws {
            let rule = try rules("rules: [{request: \(pattern), fail: true}]")[0]
            let request = InterceptedRequest(
                url: Self.url, headers: [HeaderField(name: "Accept", value: "application/json")],
                body: Data(#"{"a": {"b": [1, 2]}}"#.utf8))
            #expect(rule.pattern.matches(request) == matches)
        }

        @Test(arguments: [
            ("{status: 503}", "503 "), ("{json: {a: [1.0, null, yes, 'no']}}", #"200 {"a":[1.0,null,true,"no"]}"#),
            ("{text: häuser, status: 201}", "201 häuser"), ("{base64: SGVsbG8=}", "200 Hello"),
            ("{file: body.txt}", "200 from a file"), ("{redirect: /new}", "302 "),
            ("{redirect: /new, status: 308}", "308 "),
        ])
        func `a stub responds`(stub: String, expected: String) async throws {
            let text = "rules: [{stub: \(stub)}]"
            try await #expect(response(text, to: InterceptedRequest(url: Self.url)) == expected)
        }

        @Test func `a stub has header fields and a pace`() async throws {
            let text = """
                rules:
                  - stub:
                      headers: { X-A: [1, two], content-type: a/b }
                      text: body
                      delay: 1.5s
                      bytesPerSecond: 100
                      cutOff: 2
                """
            let reply = try await responses(text, to: InterceptedRequest(url: Self.url))[0]
            let fields = try reply.result.get().headers.map { "\($0.name): \($0.value)" }
            #expect(fields == ["X-A: 1", "X-A: two", "content-type: a/b"])
            #expect(reply.pace == Pace(delay: .milliseconds(1500), bytesPerSecond: 100))
            #expect(reply.cutOff == 2)
        }

        @Test func `stubs respond in order, and a rule is limited to some requests`() async throws {
            let text = "rules: [{stub: {status: 404}}, {stub: [{status: 500}, {failure: timedOut}], times: 3}]"
            let request = InterceptedRequest(url: Self.url)
            let replies = try await responses(text, to: request, request, request, request)
            let results = replies.map { reply in
                switch reply.result {
                case .success(let response): "\(response.status)"
                case .failure(let error): "\((error as? URLError)?.code == .timedOut)"
                }
            }
            #expect(results == ["500", "true", "true", "404"])
        }

        @Test(arguments: [
            ("{status: 500, statusText: Broken}", #"500 {"name": "Ada", "age": 36, "tags": ["a"]}"#),
            ("{set: {/name: Eva, /tags/-: b}}", #"200 {"name": "Eva", "age": 36, "tags": ["a","b"]}"#),
            ("{remove: [/age, /tags/0]}", #"200 {"name": "Ada", "tags": []}"#),
            ("{jsonMembers: {name: {first: Eva}}}", #"200 {"name": {"first":"Eva"}, "age": 36, "tags": ["a"]}"#),
            ("{mergePatch: {age: null}}", #"200 {"name": "Ada", "tags": ["a"]}"#),
            ("{jsonPatch: [{op: replace, path: /age, value: 37}]}", #"200 {"name": "Ada", "age": 37, "tags": ["a"]}"#),
            ("{replace: {Ada: Eva, 'a': o}}", #"200 {"nome": "Evo", "oge": 36, "togs": ["o"]}"#),
            ("{replaceMatches: {'\"age\": (3)6': '\"old\": $1'}}", #"200 {"name": "Ada", "old": 3, "tags": ["a"]}"#),
            ("{text: new, sometimes: {share: 1}}", "200 new"),
            (
                "{json: [1], sometimes: {share: 0, seed: 5}}",
                #"200 {"name": "Ada", "age": 36, "tags": ["a"]}"#
            ),
        ])
        func `an override changes a response`(change: String, expected: String) async throws {
            let entry = HAR.Entry.entry("GET", "https://a/", text: #"{"name": "Ada", "age": 36, "tags": ["a"]}"#)
            let text = "rules: [{request: a/**, override: \(change)}]"
            try await #expect(response(text, to: InterceptedRequest(url: "https://a/"), entries: [entry]) == expected)
        }

        @Test func `an override changes fields and delivery`() async throws {
            let text = """
                rules:
                  - override:
                      headers: { X-A: 2, X-B: null }
                      addHeaders: { X-C: [3, 4] }
                      delay: 10ms
                      recordedTimings: 2
                      bytesPerSecond: 5
                      cutOff: 1
                """
            var entry = HAR.Entry.entry("GET", "https://a/", headers: [("X-A", "1"), ("X-B", "1")], text: "text")
            entry.timings.wait = 100
            let reply = try await responses(text, to: InterceptedRequest(url: "https://a/"), entries: [entry])[0]
            let fields = try reply.result.get().headers.map { "\($0.name): \($0.value)" }
            #expect(fields == ["X-A: 2", "X-C: 3", "X-C: 4"])
            #expect(reply.pace == Pace(delay: .milliseconds(210), bytesPerSecond: 5))
            #expect(reply.cutOff == 1)
        }

        @Test func `a route leads to the entries of its target`() async throws {
            let text = "rules: [{route: {from: 'https://b/v2', to: 'https://a'}}, {override: {headers: {X-A: 1}}}]"
            let entry = HAR.Entry.entry("GET", "https://a/x?q", text: "target")
            let request = InterceptedRequest(url: "https://b/v2/x?q", headers: [HeaderField(name: "Host", value: "b")])
            try await #expect(response(text, to: request, entries: [entry]) == "200 target")
        }

        @Test func `replay and fail select the source`() async throws {
            let entry = HAR.Entry.entry("GET", "https://a/", text: "recorded")
            let text = "rules: [{fail: true}, {request: a/**, stub: {}}, {request: a/, replay: true}]"
            try await #expect(
                response(text, to: InterceptedRequest(url: "https://a/"), entries: [entry]) == "200 recorded")
            let missed = try await responses(text, to: InterceptedRequest(url: "https://b/"), entries: [entry])[0]
            let error = #expect(throws: RelayError.self) { try missed.result.get() }
            #expect(error?.code == .noMatchingEntry)
        }

        @Test(arguments: [
            ("", "1", "empty"), ("rules: [", ":2:1", "not valid"), ("rule: []", ":1:1", "Did you mean 'rules'?"),
            ("rules: {}", ":1:8", "Expected a list of rules as 'rules', found a mapping."),
            ("[]", ":1:1", "Expected a mapping"),
            ("rules:\n  - stub: {}\n    fail: true", ":2:5", "2 effects"),
            ("rules:\n  - times: 1", ":2:5", "no effect"),
            ("rules:\n  - stbu: {}", ":2:5", "Unknown key 'stbu' in the rule. Did you mean 'stub'?"),
            ("rules:\n  - stub:\n      sttus: 1", ":3:7", "Did you mean 'status'?"),
            (
                "rules:\n  - stub:\n      status: 99", ":3:15",
                "Expected a status from 200 to 999 as 'status', found '99'."
            ),
            ("rules:\n  - stub: {delay: 5}", ":2:19", "a duration with a unit"),
            ("rules: [{stub: {delay: 1e9s}}]", ":1:24", "unit"),
            ("rules: [{stub: {text: a, json: 1}}]", ":1:16", "only one body"),
            ("rules: [{stub: []}]", ":1:16", "at least one"),
            ("rules: [{stub: {file: none.txt}}]", ":1:23", "cannot be read"),
            ("rules: [{stub: {base64: '!'}}]", ":1:25", "Base64"),
            ("rules: [{stub: {failure: lost}}]", ":1:26", "networkConnectionLost"),
            ("rules: [{stub: {}, times: 0}]", ":1:27", "positive"),
            ("rules: [{stub: {headers: {'a b': 1}}}]", ":1:34", "name of a header field"),
            ("rules: [{override: {set: {name: 1}}}]", ":1:33", "not a JSON pointer"),
            ("rules: [{override: {statusText: a}}]", ":1:20", "requires 'status'"),
            ("rules: [{override: {jsonPatch: [{op: x}]}}]", ":1:32", "Operation 0"),
            ("rules: [{override: {replaceMatches: {'(': a}}}]", ":1:43", "regular expression"),
            ("rules: [{override: {sometimes: {seed: 1}}}]", ":1:32", "requires 'share'"),
            ("rules: [{route: {from: 'https://a'}}]", ":1:17", "needs 'from' and 'to'"),
            ("rules: [{route: {from: 'ftp://a', to: b}}]", ":1:17", "neither http nor https"),
            ("rules: [{request: a, route: {from: a, to: b}}]", ":1:19", "Remove 'request'"),
            ("rules: [{replay: false}]", ":1:18", "Expected true"),
            ("rules: [{request: {regularExpression: '['}, fail: true}]", ":1:39", "regular expression"),
            ("rules: [{request: {body: {jsonAt: {a: 1}}}, fail: true}]", ":1:39", "JSON pointer"),
            ("rules: [{request: {quary: {}}, fail: true}]", ":1:20", "Did you mean 'query'?"),
            (
                "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                    + "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
                    + "f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]", ":6:", "values"
            ),
        ])
        func `an error has a location and advice`(text: String, place: String, reason: String) {
            let error = #expect(throws: RelayError.self) { try rules(text) }
            #expect(error?.code == .invalidRule)
            #expect(
                error?.description.contains("rules.yaml" + (place == "1" ? "" : place)) == true,
                "\(error?.description ?? "")")
            #expect(error?.message.contains(reason) == true, "\(error?.description ?? "")")
        }

        @Test(arguments: [
            "../body.txt", "/etc/hostname", "hidden/../../body.txt", ".body.txt", "link.txt", "folder/body.txt", ".",
        ])
        func `a body file outside the folder, a hidden file and a symbolic link need permission`(name: String) throws {
            let outer = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: outer) }
            let folder = outer.appendingPathComponent("rules")
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("hidden"), withIntermediateDirectories: true)
            for file in [outer.appendingPathComponent("body.txt"), folder.appendingPathComponent(".body.txt")] {
                try Data("text".utf8).write(to: file)
            }
            for (link, target) in [("link.txt", "../body.txt"), ("folder", "..")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appendingPathComponent(link).path, withDestinationPath: target)
            }
            let file = folder.appendingPathComponent("rules.yaml")
            try Data("rules: [{stub: {file: \(name)}}]".utf8).write(to: file)
            let error = #expect(throws: RelayError.self) { try RuleFile(contentsOf: file) }
            #expect(error?.code == .invalidRule)
            #expect(error?.message.contains("use --any-body-file.") == true, "\(error?.description ?? "")")
            if name != "." { #expect(try RuleFile(contentsOf: file, allowsAnyBodyFile: true).rules.count == 1) }
        }

        @Test(arguments: ["(a+)+$", "(a|a)*$"])
        func `a regular expression that takes too much work makes the request fail`(expression: String) async throws {
            let text = String(repeating: "a", count: 50) + "!"
            let rules = [
                "[{request: {regularExpression: '\(expression)'}, stub: {status: 204}}]",
                "[{stub: {text: '\(text)'}}, {override: {replaceMatches: {'\(expression)': x}}}]",
            ]
            for rules in rules {
                let request = InterceptedRequest(url: "http://a.test/\(text)")
                let reply = try await responses("rules: \(rules)", to: request)[0]
                guard case .failure(let error) = reply.result else {
                    Issue.record("\(rules) has a response")
                    continue
                }
                #expect(error.localizedDescription.contains("'\(expression)' needs too much time"), "\(error)")
            }
        }

        @Test func `a missing file is an error`() {
            let error = #expect(throws: RelayError.self) {
                try RuleFile(contentsOf: URL(fileURLWithPath: "/none/rules.yaml"))
            }
            #expect(error?.code == .invalidRule)
        }
    }
#endif
