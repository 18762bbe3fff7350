import Testing

@testable import HTTPArchive

@Suite(.limited) struct EntryTableTests {
    /// Returns a summary with values derived from a number.
    private func summary(_ number: Int) -> HAREntrySummary {
        HAREntrySummary(
            byteRange: 100 * number..<100 * number + 99, method: "M\(number % 7)", url: "https://a.example/\(number)",
            status: 400 + number % 300, startedDateTime: "2026-01-01T00:00:\(number)Z",
            time: number % 3 == 0 ? nil : Double(number), mimeType: "type/\(number % 100)",
            size: number % 5 == 0 ? nil : number, resourceType: number % 4 == 0 ? nil : "kind\(number % 9)",
            pageref: number % 2 == 0 ? nil : "page \(number)", isFailed: number % 11 == 1)
    }

    private func segment(_ summaries: [HAREntrySummary]) -> EntrySegment {
        var collector = EntrySegmentBuilder()
        for summary in summaries { collector.append(summary) }
        return collector.finish()
    }

    @Test func `summaries survive a round trip in any chunk and segment`() {
        let summaries = (0..<3 * EntrySegment.chunkSize + 5).map(summary)
        let table = EntryTable([
            segment(Array(summaries[..<10])), segment([]),
            segment(Array(summaries[10..<(EntrySegment.chunkSize + 10)])),
            segment(Array(summaries[(EntrySegment.chunkSize + 10)...])),
        ])
        #expect(table.count == summaries.count)
        for (index, summary) in summaries.enumerated() where table[index] != summary {
            #expect(table[index] == summary)
        }
        #expect(table.byteRange(at: 4_500) == summaries[4_500].byteRange)
    }

    @Test func `summaries that do not fit into a row are stored separately`() {
        var summaries = (0..<4).map(summary)
        summaries[0].status = .max
        summaries[1].byteRange = 0..<1 << 33
        summaries[2].startedDateTime = String(repeating: "x", count: 300)
        let table = EntryTable([segment(summaries)])
        #expect((0..<4).map { table[$0] } == summaries)
        #expect(table.byteRange(at: 1) == 0..<1 << 33)
    }

    @Test func `a table can have more distinct strings than a row can refer to`() {
        let summaries = (0..<70_000).map { number in
            var summary = summary(1)
            summary.mimeType = "type/\(number)"
            summary.pageref = "\(number)"
            return summary
        }
        let table = EntryTable([segment(summaries)])
        for index in [0, 1, 65_533, 65_534, 65_535, 65_536, 69_999] { #expect(table[index] == summaries[index]) }
    }

    @Test func `an empty string differs from a missing one`() {
        var summary = summary(0)
        summary.resourceType = ""
        summary.pageref = ""
        #expect(EntryTable([segment([summary])])[0] == summary)
    }
}
