import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

/// Tests of bodies with content codings, created with Python's `zlib` and `gzip`.
@Suite(.limited) struct ContentCodingTests {
    /// Returns the entry of a cassette whose response has the given coding and body.
    private func entry(_ coding: String, _ base64: String) throws -> HAR.Entry {
        let text = #"""
            {"version": 1, "interactions": [{
              "request": {"method": "GET", "uri": "http://a.test/"},
              "response": {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Encoding": ["\#(coding)"]},
                           "body": {"string": {"!!binary": "\#(base64)"}}}}]}
            """#
        return try #require(VCRPyCassette.entries(of: text).first)
    }

    private static let words = Data(String(repeating: "deflated words, deflated again; ", count: 40).utf8)

    @Test(arguments: samples)
    func `every type of DEFLATE block is decompressed`(coding: String, base64: String) throws {
        #expect(try entry(coding, base64).response.body == .data(Self.words))
    }

    @Test func `uncompressed blocks are copied`() throws {
        var stored = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        let length = UInt16(Self.words.count)
        stored += [1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
        stored += Self.words + Data(count: 8)
        #expect(try entry("gzip", stored.base64EncodedString()).response.body == .data(Self.words))
    }

    @Test func `data with few repetitions is decompressed`() throws {
        var state: UInt32 = 7
        let noise = Data(
            (0..<3_000).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24) & 0x1F
            })
        #expect(try entry("gzip", Self.noise).response.body == .data(noise))
    }

    @Test func `truncated data is returned unchanged, and corrupted data does not cause a crash`() throws {
        let whole = try #require(Data(base64Encoded: Self.noise))
        for count in stride(from: 0, to: whole.count - 9, by: 7) {
            let body = try entry("gzip", whole.prefix(count).base64EncodedString()).response.body
            #expect(body == .data(whole.prefix(count)))
        }
        for place in stride(from: 10, to: whole.count, by: 3) {
            var broken = whole
            broken[place] ^= 0x5A
            _ = try entry("gzip", broken.base64EncodedString()).response.body
        }
    }

    @Test func `bodies that are already decoded are unchanged`() throws {
        #expect(try entry("gzip", "aGVsbG8=").response.body == .data(Data("hello".utf8)))
        #expect(try entry("br", "aGVsbG8=").response.body == .data(Data("hello".utf8)))
    }

    @Test func `a body with an unsupported coding remains encoded`() throws {
        let body = Data(repeating: 0xFF, count: 30)
        let entry = try entry("br", body.base64EncodedString())
        #expect(entry.response.body == .notCaptured)
        #expect(entry.response.content["_encodedText"]?.text == body.base64EncodedString())
        #expect(entry.response.bodySize == 30)
    }

    private static let samples: [(coding: String, base64: String)] = [
        ("gzip", "H4sIAAAAAAACA0tJTctJLElNUSjPL0op1lFIgfET0xMz86wR/FH5UflR+VH5YSYPAOYfYOAABQAA"),
        (
            "x-gzip",
            """
            H4sIHgAAAAAA/wMAYWJjbmFtZQBjb21tZW50AAAAS0lNy0ksSU1RKM8vSinWUUiB8RPTEzPzrBH8UflR+VH5UflhJg8A5h9g\
            4AAFAAA=
            """
        ),
        ("deflate", "eNpLSU3LSSxJTVEozy9KKdZRSIHxE9MTM/OsEfxR+VH5UflR+WEmDwB1/c1Q"),
        ("deflate", "S0lNy0ksSU1RKM8vSinWUUiB8RPTEzPzrBH8UflR+VH5UflhJg8A"),
        ("gzip", "H4sIAAAAAAAA/0tJTctJLElNUSjPL0op1lFIgfET0xMz86wR/FH5UflR+VH5YSYPAAAAAAAAAAAA"),
        (
            "gzip",
            """
            H4sIAAAAAAAA/wXBgQkAIAwDsFd6gB94TaGdCENBB75vIkeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvk\
            SJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9\
            dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUey\
            LLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7V\
            IUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYF\
            Ds7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvk\
            SJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9\
            dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUey\
            LLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7VIUeyLLx9dBvkSJYFDs7V8QEAAAAAAAAAAA==
            """
        ),
        ("gzip, deflate", "eJyT7+ZgAAEmZm9P39OeOp6+gRrn9b00rwV6NH4Uvixs/HmN4J/AnxCYqMbP8Ew+4QEDKwMDAALnFBo="),
    ]

    private static let noise = """
        H4sIAAAAAAACAxWWRxLEIAwEycEmB5Ph/79c9oapMghp1KMlp1Zjaj+aiKpz/rY+Rzl56HFSGuvQuySlO/xZcQA8U4P328pq\
        4BF9FzoCJzBkjiizWLJ+7wLBJ/W0k46OsK+hAiYbNscdXDfHbhlEszNytMZSmdpjGUL4W2s7DYU0enpzjlkyf7we/JFiNJa2\
        YSFTengklgn9wrWNPcjjJB5jlLU7Ebwf6mc7AwWXrR9CNC3M3tFBkaSUDfTJz0N6GxhB/BWx2yONure/X7Whe/+1LG5YcnRm\
        Fn74+lyKtjU/ndiPNce0jgu2ZcVu1VziDfCjL2u4CQsaFcAM+LCaCZIBufMsXCsJns/VDc8LrVqmw3s0r+17N1ONbDlwtGkU\
        yMDYCSA/yU+obmaX12rqjxljTsULJes92s1vsit25u3qO+leItHLx6CeL7md9CFRDkCvBpgUXRAnK44HyQ+Mb5+dSsID5zK8\
        fmxbwc0UyYH1wWyT4FOhKnwrNakiC23OFlPklNXH8UO+DAhCyl4ougPR0lp8H3zRzFLXxumk/f0CrANG/PFOg1ON1WHeoseN\
        5W0QxpUEL4vRezSCvPfSukzgRhDikgsZMeIbT9WGYpM3PM9Or4IUVE39P+3msV9C/RVbXmUlJL4CJRx+M+EWzI4P7UhCu66g\
        LBRh4qREeTNIoFIfkx8ghCY2prjtp/i0CBTO9kLS1AFjLbEyQoakqGYKZKrBYyyjJ1noBLFgOGQVb73TJ39EsqtmIJIqFSHn\
        5khNSkMYZqagY6TycAxFz6D1vOEmp4CgJXHFNrP62y3bpAEYg7MHrOVVhUmhELSDtMJOuiTP59wN18zvzGcaMDp4ZqJXFLE3\
        BtE+KaeS6vfJEXj46n4GURE9IAB3i+GTeJUIJBzXTwIOeCfQe14oWcbusPGoBfi3M1aPgTfBBMvUo6WyxdtvKr/YuG8xzVsE\
        S9LYKx/fqhj0t/hX7/uso4XjrOuq3bqNgUfwxKKBoMKzBhdj6bjpcDUK4tOrOwHTVZL7lN3vlWpLc7T94rWeRi3I/3SwDgD5\
        bgPDEffXOHGu8Bf51l/NejRyznTIt8VX5cfJW95kHENfhYhZ5zeHag+GdTRJVGBPtQ8zVaS/2oSwnoIi4n5CBXrtEKxRyp+R\
        lWAGalWXYlxTuGoI4pHnbfj5Eobau/yQ3dr7+nfFkc7BGo/To4DynabrlyCDAGuxfAs9b0WEx7HRnwgojWeBEwLgqfVz6Abg\
        QZXmeFl7hbRLMj6TVThfvtLbLrh60ddMDxXarnj/0o3yxjVsqjafbe0ks9f55SdQ79ny7e+87IawbPVUr8Xd2VvxQiphXtdi\
        rYQPJ+JoEOtLwxsGaM+kWu7EEA8GHoR7ZCoc6XNG3KsAXZuoXVCr5T6SInQLa9XGlUQdNL81bZuw6d2jzizOz8o7OWBO7kxc\
        eVNkWL6V54JorGRnxPNM34HGGwoHPLY4pwrbnNhy5w8CD3t4UjDw4jy/xGyQ47xOZlheIrkFLlgHeVOhNxB9naFGDKE7H3GP\
        FGSncbmXimMTDzXdeG6/alHoEdvgpxQND/AcSJSpZxlCHLD01FPi1BUyD7mnEwqJoNPvVN6+M9iztr4pKZwk3V2HMePxSSh2\
        pwN/fdYX4RJn2YJUC8ESjF4kjWIIDHpdYU5yVsTuraA/ezcOo9m0PyDxdTwZOgbzooSuRV76qPCEGcMV70Wpu661BO/2I/M4\
        4/sRolzXYthmM5e9VdSMglBreGw5t1dnUkDLb/Xw764j+5PLds7WpMI1xfv5zLioU586mrGrtlnubb16mrpkWqbh+CWCnd4/\
        +glhQkRKhvRsz/k+GMBnVmchGvVE0oqaTaPvlUuRAjBO8haTRfM9bX9wuUY26Msz6C/FVnOGKsyBeNIMWYEP5MGgiYFM/LJL\
        sF3NHS2+xDNc1gN8pxElQK79ADNrT+aFTdMalLzVVukBplfWcoOkyNoAv7y/Y8HyJNDoU2SJ0sfWW4Vyq0U/ObNvlp+LCZ1S\
        K/LRd0y5hjiu9ZTQyEtmFc947yyRQoNxs1I1/mKa8N735PW4YU4S6pp5vMr1sKXtVFeqA+KNRnSlxD0PjX2oxcykzeXiw5EF\
        cjYXKl351fsxythtPl78PBt19wXeQZnsA+CoLYp+72n+sr8DXPdBlIqm+liv2jvZqzj7fPKa+XyeS5d4XvF0oUyP8LUSexn1\
        IIagfpMl6Jo0Wa4KV8jhM2JaO49WGG1y+vnxWDO46ghsgTYvVgAN14tiTkTKiyGpS7q2aJAC6OvbGJm2jAnYcIcmHzu1W733\
        kXzRwcyu4RNL7yWnEGBxnTkk0n7vyvj2lX6vp0ZNhtsDXC18+kvmW9CSFSRUJeAF7vJJOF1XsLnKB9wxis1rBujs2nMobCd1\
        lctK+ZR54Hcy/hSwHatPUgrVlZLpH7oecuViXXZbnUTr9a6lb22FqZvZ9xJIMIilM+lyRk8oEZqdRMGvuk7UyGRNVDmb39bx\
        F/R9X2M1a7TLpHqNrWFJMpZjzNDuYV7utdkzB6bssvTg67j6Uv1aFEVOGfe8+s2mreEJYY3FxDnJ/SmHl6l02Ng3+Ca7/5Pv\
        tNSHNmspRfHzA4SIzDa4CwAA
        """
}
