package import Foundation
package import HTTPArchive

/// A file written by another tool.
package struct RecordingFile: Sendable {
    /// The default maximum size of a file in bytes.
    package static let sizeLimit = 50_000_000

    /// The URL of the file.
    package let url: URL

    /// The folder that was searched, or `nil` if the file was specified directly.
    package let folder: URL?

    /// The modification date.
    package let date: Date

    /// The content of the file.
    package let data: Data

    /// The parsed content, or the parse error with the name of the file.
    private let parsed: Result<JSONValue, HARError>

    /// The base URL for formats that do not store hosts; `http://localhost` by default.
    package var baseURL = "http://localhost"

    /// Creates a file from content in memory.
    ///
    /// - Parameters:
    ///   - url: The URL of the file, for messages and for finding related files.
    ///   - folder: The folder that was searched; `nil` by default.
    ///   - date: The modification date.
    ///   - data: The content.
    ///   - parse: The parser; ``LenientJSON`` by default.
    package init(
        url: URL, folder: URL? = nil, date: Date, data: Data,
        parse: (Data) throws(HARError) -> JSONValue = LenientJSON.value(of:)
    ) {
        self.url = url
        self.folder = folder
        self.date = date
        self.data = data
        do throws(HARError) {
            if data.allSatisfy({ $0 <= 0x20 }) {
                throw HARError(.malformedJSON, "The file is empty. Save the recording again.")
            }
            parsed = .success(try parse(data))
        } catch {
            var context = error.context
            context.file = url.relativePath
            parsed = .failure(HARError(error.code, error.message, at: context, underlying: error.underlying))
        }
    }

    /// Reads a file, which is decompressed if it is compressed.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - folder: The folder that was searched; `nil` by default.
    ///   - sizeLimit: The maximum size of the file in bytes; 50 MB by default.
    ///   - parse: The parser; ``LenientJSON`` by default.
    /// - Throws: `unreadableFile`, or `limitExceeded` if the file is too large. A parse error is stored in ``failure``
    ///   instead of being thrown.
    package init(
        contentsOf url: URL, below folder: URL? = nil, sizeLimit: Int = Self.sizeLimit,
        parse: (Data) throws(HARError) -> JSONValue = LenientJSON.value(of:)
    ) throws(HARError) {
        let date: Date
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
        } catch {
            throw HARError(
                .unreadableFile, "The file cannot be read: \(error.fileErrorExplanation)",
                at: .init(file: url.relativePath),
                underlying: error)
        }
        // The limit is applied while reading, because a device has no size and a file can grow.
        let file = try InputFile(url: url, decompressedSizeLimit: CompressionFormats.defaultSizeLimit)
        let data = try file.content(upTo: sizeLimit + 1)
        try Self.requireSize(of: data, upTo: sizeLimit, in: url.relativePath)
        self.init(url: url, folder: folder, date: date, data: data, parse: parse)
    }

    /// The URL that stands for standard input, in the current folder.
    package static let standardInput = URL(fileURLWithPath: "standard input")

    /// Throws an error if the content of a file is larger than a limit.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - limit: The maximum size in bytes.
    ///   - name: The name of the file.
    /// - Throws: `limitExceeded`.
    package static func requireSize(of data: Data, upTo limit: Int, in name: String) throws(HARError) {
        guard data.count > limit else { return }
        throw HARError(
            .limitExceeded,
            "The file is larger than \(limit) \(limit == 1 ? "byte" : "bytes"). "
                + "Raise the limit with har's --size-limit, or split the file.",
            at: .init(file: name))
    }

    /// The name of the file in messages.
    package var name: String { url.relativePath }

    /// The parsed content, or `nil` if it cannot be parsed.
    package var value: JSONValue? { try? parsed.get() }

    /// The parse error with the name of the file, or `nil` if parsing succeeded.
    package var failure: HARError? { if case .failure(let error) = parsed { error } else { nil } }

    /// Returns the parsed content with its location.
    ///
    /// - Throws: The error in ``failure``, usually `malformedJSON`.
    package func content() throws(HARError) -> RecordedValue { RecordedValue(try parsed.get(), in: name) }
}

/// A parser for JSON, with or without trailing commas, and for JSON Lines.
package enum LenientJSON {
    /// Parses JSON that may have a comma after the last element of an array or the last member of an object.
    ///
    /// Lines that each contain one object (JSON Lines, https://jsonlines.org) are parsed as an array.
    ///
    /// - Parameter data: The text, in UTF-8, with or without a byte order mark.
    /// - Returns: The value.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded`.
    package static func value(of data: Data) throws(HARError) -> JSONValue {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard data.starts(with: mark) else { return try value(ofUnmarked: data) }
        // Replacing the mark with spaces preserves all offsets.
        do {
            return try value(ofUnmarked: Data(repeating: 0x20, count: mark.count) + data.dropFirst(mark.count))
        } catch {
            // Columns are counted after the mark.
            var context = error.context
            if context.line == 1 { context.column = context.column.map { $0 - mark.count } }
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
    }

    private static func value(ofUnmarked data: Data) throws(HARError) -> JSONValue {
        do {
            return try JSONValue(parsing: data)
        } catch  where error.code == .malformedJSON {
            let text = [UInt8](data)
            if let lines = try lines(of: text) { return lines }
            guard let strict = withoutTrailingCommas(text) else { throw error }
            return try JSONValue(parsing: Data(strict))
        }
    }

    /// Returns an array of the lines' objects, or nil if there is only one line or the first line is not an object.
    private static func lines(of text: [UInt8]) throws(HARError) -> JSONValue? {
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { line in line.contains { $0 > 0x20 } }
        guard lines.count > 1, (try? JSONValue(parsing: Data(lines[0])))?.object != nil else { return nil }
        var values: [JSONValue] = []
        for line in lines {
            do {
                values.append(try JSONValue(parsing: Data(line)))
            } catch {
                var context = error.context
                context.byteOffset = context.byteOffset.map { $0 + line.startIndex }
                context.line = text[..<line.startIndex].count { $0 == UInt8(ascii: "\n") } + 1
                throw HARError(error.code, error.message, at: context)
            }
        }
        return .array(values)
    }

    /// Returns the text with trailing commas replaced by spaces, or nil if it has no trailing commas.
    private static func withoutTrailingCommas(_ text: [UInt8]) -> [UInt8]? {
        var text = text
        var isInString = false
        var isEscaped = false
        var comma: Int?
        var last = UInt8(ascii: ",")
        var isChanged = false
        for index in text.indices {
            let byte = text[index]
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            guard ![0x09, 0x0A, 0x0D, 0x20].contains(byte) else { continue }
            switch byte {
            // After these bytes, a value must follow rather than a comma.
            case UInt8(ascii: ","): comma = "[{,:".utf8.contains(last) ? nil : index
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma {
                    text[comma] = 0x20
                    isChanged = true
                }
                comma = nil
            default:
                comma = nil
                isInString = byte == UInt8(ascii: "\"")
            }
            last = byte
        }
        return isChanged ? text : nil
    }
}
