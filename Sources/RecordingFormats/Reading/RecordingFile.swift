package import Foundation
package import HTTPArchive

/// A file that another tool wrote.
package struct RecordingFile: Sendable {
    /// The largest file that is read, in bytes.
    package static let sizeLimit = 1 << 30

    /// The name of the one member of an object that stands for bytes, which JSON does not have; its value is Base64.
    ///
    /// What parses another format than JSON gives bytes so.
    package static let binaryName = RecordedValue.binaryName

    /// The file.
    package let url: URL

    /// The folder below which it was found; `nil` for a file that was named itself.
    package let folder: URL?

    /// When it was written.
    package let date: Date

    /// Its bytes.
    package let data: Data

    /// Its content; `nil` where it is none that can be parsed.
    package let value: JSONValue?

    /// Where URLs begin that the format has without a host; `http://localhost` by default.
    package var baseURL = "http://localhost"

    /// Why there is no ``value``, with the name of the file.
    package let failure: HARError?

    /// Creates a file of parts that were read already.
    ///
    /// - Parameters:
    ///   - url: The file, for what messages call it and for other files beside it.
    ///   - folder: The folder below which it was found; `nil` by default.
    ///   - date: When it was written.
    ///   - data: Its bytes.
    ///   - parse: Parses the bytes; as JSON, in which a comma may stand behind the last element, by default.
    package init(
        url: URL, folder: URL? = nil, date: Date, data: Data,
        parse: (Data) throws(HARError) -> JSONValue = LenientJSON.value(of:)
    ) {
        self.url = url
        self.folder = folder
        self.date = date
        self.data = data
        do throws(HARError) {
            value = try parse(data)
            failure = nil
        } catch {
            value = nil
            var context = error.context
            context.file = url.relativePath
            failure = HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - folder: The folder below which it was found; `nil` by default.
    ///   - parse: Parses the bytes; as JSON, in which a comma may stand behind the last element, by default.
    /// - Throws: `unreadableFile`; `limitExceeded` for a file of more than 1 GiB. What cannot be parsed is no error yet.
    package init(
        contentsOf url: URL, below folder: URL? = nil,
        parse: (Data) throws(HARError) -> JSONValue = LenientJSON.value(of:)
    ) throws(HARError) {
        let date: Date
        let data: Data
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
            guard (attributes[.size] as? Int ?? 0) <= Self.sizeLimit else {
                throw HARError(
                    .limitExceeded, "It has more than \(Self.sizeLimit) bytes; divide it.",
                    at: .init(file: url.relativePath))
            }
            data = try Data(contentsOf: url)
        } catch let error as HARError {
            throw error
        } catch {
            throw HARError(
                .unreadableFile, "It cannot be read. \(error.localizedDescription)", at: .init(file: url.relativePath),
                underlying: error)
        }
        self.init(url: url, folder: folder, date: date, data: data, parse: parse)
    }

    /// What errors call it.
    package var name: String { url.relativePath }

    /// Its content, which knows its place.
    ///
    /// - Throws: Why it cannot be parsed, mostly `malformedJSON`.
    func content() throws(HARError) -> RecordedValue {
        if let failure { throw failure }
        guard let value else { throw HARError(.malformedJSON, "There is no JSON value.", at: .init(file: name)) }
        return RecordedValue(value, in: name)
    }
}
