import Foundation
import HTTPArchive
import RecordingFormats

extension RecordingFile {
    /// Reads standard input, which is decompressed if it is compressed.
    ///
    /// Related files are searched for in the current folder. The date is the date of a redirected file, or now.
    ///
    /// - Parameters:
    ///   - sizeLimit: The maximum size in bytes; 50 MB by default.
    ///   - parse: The parser; ``LenientJSON`` by default.
    /// - Throws: `unreadableFile`, or `limitExceeded` if the input is too large. A parse error is stored in ``failure``
    ///   instead of being thrown.
    init(
        standardInputUpTo sizeLimit: Int = Self.sizeLimit,
        parse: (Data) throws(HARError) -> JSONValue = LenientJSON.value(of:)
    ) throws(HARError) {
        let url = Self.standardInput
        let file = InputFile(
            handle: .standardInput, name: url.relativePath, decompressedSizeLimit: CompressionFormats.defaultSizeLimit)
        let data = try file.content(upTo: sizeLimit + 1)
        try Self.requireSize(of: data, upTo: sizeLimit, in: url.relativePath)
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: "/dev/stdin").resolvingSymlinksInPath().path)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        let date = isFile ? attributes?[.modificationDate] as? Date : nil
        self.init(url: url, date: date ?? Date(), data: data, parse: parse)
    }
}
