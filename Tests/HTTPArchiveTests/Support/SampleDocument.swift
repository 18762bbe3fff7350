import Testing

/// A handwritten document with rare combinations of features.
struct SampleDocument: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]

    var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self) }
}

extension SampleDocument {
    /// An archive of about 4,000 bytes that exercises every feature of the reader.
    static let everything = SampleDocument(bytes: Array(everythingText.utf8))

    /// Small, complete archives.
    static let small: [SampleDocument] =
        [
            #"{"log":{"entries":[]}}"#,
            #" { "log" : { "version" : "1.2" , "entries" : [ { } , {"a":[1,2.50,{"b":null}]} ] } } "#,
            #"{"a":1,"log":{"b":-0,"entries":[{"x":true},7,"é",[],{"y":false}],"c":1e400,"d":12},"e":null,"f":3}"#,
            #"{"x":"\ud83d\ude00 \ud800 \" \\","log":{"\ud800":"\udc00","entries":[{"\udfff\u0000":"\/"}]}}"#,
            #"{"log":{"entries":{"no":1},"entries":[{"n":1}],"entries":[{"n":2}]},"log":{"entries":[{"n":3}]}}"#,
            #"{"log":7,"log":{"log":{"entries":[{"n":1}]},"entries":[{"n":2}]}}"#,
            "\u{FEFF}{\"log\":{\"entries\":[{\"n\":1}]}}",
        ].map { SampleDocument(bytes: Array($0.utf8)) } + [SampleDocument(bytes: latin)]

    /// An archive with strings and a key that are not valid UTF-8.
    private static let latin: [UInt8] =
        Array(#"{"log":{"caf"#.utf8) + [0xE9] + Array(#"":1,"comment":""#.utf8) + [0xED, 0xA0, 0x80, 0xC0, 0xAF]
        + Array(#"","entries":[{"t":"caf"#.utf8) + [0xE9] + Array(#"\n"}]}}"#.utf8)

    private static let everythingText = #"""
        {
          "before": {"x": [1, 2]}, "before": "again",
          "log": {
            "version": "1.2",
            "creator": {"name": "Handmade", "version": "0.1", "comment": "tab\there"},
            "browser": {"name": "None", "version": ""},
            "comment": "slash \/ quote \" pair \ud83d\ude00 lone \ud83d low \uDE00 NUL \u0000 é 漢 🇨🇭",
            "_custom": [1.50, -0, 1e400, 0.1, 123456789012345678901234567890, 1E-7, true, false, null, [], {}],
            "pages": [
              {"startedDateTime": "2009-04-16T12:07:25.123+01:00", "id": "page_0", "title": "A page",
               "pageTimings": {"onContentLoad": 1720, "onLoad": -1, "_firstPaint": 12.5}}
            ],
            "entries": [
              {
                "pageref": "page_0", "startedDateTime": "2009-04-16T12:07:23.596Z", "time": 50,
                "request": {
                  "method": "GET", "url": "http://www.example.com/path/?param=value", "httpVersion": "HTTP/1.1",
                  "cookies": [{"name": "a", "value": "b", "path": "/", "expires": null, "httpOnly": false}],
                  "headers": [{"name": "Accept", "value": "*/*"}, {"name": "Accept", "value": "text/html"}],
                  "queryString": [{"name": "param", "value": "value"}],
                  "headersSize": 150, "bodySize": 0
                },
                "response": {
                  "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                  "content": {"size": 33, "compression": 0, "mimeType": "text/html; charset=utf-8", "text": "\n<é>\n"},
                  "redirectURL": "", "headersSize": 160, "bodySize": 850
                },
                "cache": {"beforeRequest": null, "afterRequest": {"lastAccess": "x", "eTag": "\"1\"", "hitCount": 3}},
                "timings": {"blocked": 0, "dns": -1, "connect": 15, "send": 20, "wait": 38, "receive": 12.25, "ssl": -1},
                "serverIPAddress": "10.0.0.1", "connection": "52492", "connection": "again",
                "_initiator": {"type": "script", "stack": {"parent": {"parent": {"parent": {"callFrames": [[[]]]}}}}}
              },
              "stray", 42, [{"not": "an entry"}], null,
              {},
              {"request":{"method":"POST","url":"/","postData":{"mimeType":"a/b","params":[{"name":"x"}],"text":"\u00e9"}}},

              {"response" : {"status" : -1 , "_error" : "net::ERR_ABORTED"} , "" : ""}
            ],
            "entries": [{"second": "array"}],
            "_after": {"deep": [[[[[[[[{"end": 1}]]]]]]]]}, "_n": 17
          },
          "log": {"second": "log"},
          "after": -12.5e-3 , "last": 1
        }

        """#
}
