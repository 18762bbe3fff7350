import Testing

@testable import HTTPArchive

@Suite(.limited) struct EntryTableTests {
    /// Returns a summary with values derived from a number.
    private func summary(_ number: Int) -> HAREntrySummary {
        HAREntrySummary(
            byteRange: 100 * number..<100 * number + 99, method: "M\(number % 7)", url: "https://a.example/\(number)",
            status: 400 + number % 300, started: RecordedTime("2026-01-01T00:00:\(number)Z"),
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
        summaries[1].byteRange = 0..<1 << 33
        let changes: [(inout HAREntrySummary) -> Void] = [
            { $0.status = .max }, { ($0.status, $0.isFailed) = (-1, true) }, { $0.status = 1 << 14 },
            { $0.size = .max }, { $0.size = 1 << 32 - 1 },
            { $0.startedDateTime = String(repeating: "x", count: 70_000) },
        ]
        summaries += changes.map { change in
            var summary = summary(2)
            change(&summary)
            return summary
        }
        let segment = segment(summaries + [summary(3)])
        let table = EntryTable([segment])
        // A message with all summaries would be too long.
        #expect(summaries.indices.filter { table[$0] != summaries[$0] } == [])
        #expect(table[summaries.count] == summary(3))
        #expect(table.byteRange(at: 1) == 0..<1 << 33)
        #expect(segment.large.count == 1 + changes.count)
    }

    @Test func `the extreme values that fit into a row are restored`() {
        let changes: [(inout HAREntrySummary) -> Void] = [
            { $0.status = 1 << 14 - 1 }, { $0.size = 1 << 32 - 2 }, { $0.size = 0 }, { $0.size = nil },
            { $0.startedDateTime = "" }, { $0.startedDateTime = "2426-01-01T00:00:00.9999999-14:00" },
            { $0.startedDateTime = String(repeating: "x", count: 65_535) }, { $0.url = "" },
        ]
        let summaries = changes.flatMap { change in
            [(false, true), (true, false), (true, true)].map { isFailed, isFromCache in
                var summary = summary(2)
                (summary.isFailed, summary.isFromCache) = (isFailed, isFromCache)
                change(&summary)
                return summary
            }
        }
        let segment = segment(summaries)
        #expect(summaries.indices.filter { segment[$0] != summaries[$0] } == [])
        #expect(segment.large.isEmpty)
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

@Suite(.limited) struct EntryRowTests {
    @Test func `a row has the documented size`() {
        #expect(MemoryLayout<EntryRow>.stride == EntryRow.storedSize)
    }
}
