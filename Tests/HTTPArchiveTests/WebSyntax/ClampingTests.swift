import Testing

@testable import HTTPArchive

@Suite(.limited) struct ClampingTests {
    @Test(
        arguments: [
            (0x1p63 - 512, Int.max), (0x1p63, .max), (-0x1p63, .min), (1e308, .max), (-1e308, .min), (.infinity, .max),
            (-.infinity, .min), (.nan, 0), (-0.0, 0), (0.5, 0), (-1.9, -1), (1e-300, 0), (2.9, 2),
        ] as [(Double, Int)])
    func `a number becomes the nearest integer`(number: Double, integer: Int) {
        #expect(Int(clamping: number) == integer)
    }

    @Test(
        arguments: [
            (1, 2, 3, -1), (.max, 1, .max, .max - 1), (.min, -1, .min, .min + 1), (.max, .min, -1, .max),
            (0, .min, .min, .max),
            (-2, .min, .min, .max - 1), (-1, .max, .max - 1, .min),
        ] as [(Int, Int, Int, Int)])
    func `sums and differences are clamped`(first: Int, second: Int, sum: Int, difference: Int) {
        #expect(first.adding(clamping: second) == sum)
        #expect(first.subtracting(clamping: second) == difference)
    }

    @Test(arguments: [(1.5, 1.5), (-1, 0), (.nan, 0), (1e300, 31_536_000), (.infinity, 31_536_000), (1e-300, 0)])
    func `a duration has at most one year`(seconds: Double, clamped: Double) {
        #expect(Duration(clampingSeconds: seconds) == .seconds(clamped))
    }

    /// Archives can contain lengths that differ from the length of the body.
    @Test(arguments: [Int.min, .min + 1, -1, 0, .max - 1, .max])
    func `lengths of any size are updated or preserved`(length: Int) {
        for (name, value) in [("bodySize", length), ("_transferSize", length), ("compression", length)] {
            var message: JSONObject = [
                "bodySize": .number(JSONNumber(name == "bodySize" ? value : 40)),
                "_transferSize": .number(JSONNumber(name == "_transferSize" ? value : 40)), "_error": "aborted",
                "headers": [["name": "Content-Length", "value": .string(JSONString(String(length)))]],
                "content": [
                    "size": 40,
                    "compression": .number(
                        JSONNumber(name == "compression" ? value : 40.subtracting(clamping: length))),
                ],
            ]
            BodyLengthChange(from: 40, to: 55).update(&message)
            #expect(message["content"]?["size"]?.int == 55)
        }
    }
}
