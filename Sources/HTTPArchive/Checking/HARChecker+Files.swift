public import Foundation

extension HARChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - report: Called with each finding, as soon as it is known.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after the findings before.
    public static func check(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        report: (HARFinding) -> Void
    ) throws(HARError) {
        try check(HARReader(contentsOf: url, configuration: configuration), report: report)
    }

    /// Checks what a reader has not read yet, which should be all.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - report: Called with each finding, as soon as it is known.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after the findings before.
    public static func check(_ reader: HARReader, report: (HARFinding) -> Void) throws(HARError) {
        var checker = HARChecker()
        var isAtStart = true
        while let event = try reader.nextEvent() {
            if isAtStart, reader.hasByteOrderMark { report(.byteOrderMark) }
            isAtStart = false
            checker.check(event, at: reader.eventOffset).forEach(report)
        }
        checker.finish().forEach(report)
    }
}
