package import Foundation

/// An entry's reference to a body that is stored in a separate file.
package struct BodyReference: Sendable {
    /// The path of the file, as written in the archive.
    package let name: String

    /// The media type of the body, or nil if the entry has none.
    package let mediaType: String?

    /// The JSON pointer to the path, relative to the entry.
    package let pointer: JSONPointer

    /// Returns whether the text of an entry may contain a reference, without parsing it.
    ///
    /// - Parameter text: The JSON text.
    /// - Returns: `false` if it contains none.
    package static func mayOccur(in text: [UInt8]) -> Bool {
        text.withUnsafeBytes { $0.firstOffset(of: field) } != nil
    }

    private static let field = Array("\"_file\"".utf8)

    /// The paths of the objects that can refer to a body file.
    private static let paths = [["request", "postData"], ["response", "content"]]

    /// Returns the references in an entry.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: At most one reference for the request and one for the response.
    package static func references(of entry: HAR.Entry) -> [BodyReference] {
        paths.compactMap { path in
            guard let body = entry[path[0]]?[path[1]], let name = body["_file"]?.text, !name.isEmpty else { return nil }
            let pointer = JSONPointer(path).appending("_file")
            return BodyReference(name: name, mediaType: body["mimeType"]?.text, pointer: pointer)
        }
    }
}

extension HAR.Entry {
    /// Replaces references to body files with the content of the files.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Throws: `unreadableFile` or `limitExceeded` if a file cannot be read.
    package mutating func embedBodies(from folder: HAR.BodyFolder) throws(HARError) {
        if let postData = request.postData, postData["_file"] != nil, let body = try request.bodyData(in: folder) {
            request.embed(body)
            request.postData?.mimeType = postData.mimeType
            request.postData?.comment = postData.comment
        }
        if response.content["_file"] != nil, let body = try response.bodyData(in: folder) {
            response.content["_file"] = nil
            response.content.encoding = nil
            response.embed(body)
        }
    }

    /// Returns the entry for an archive in another folder, where its references to body files would be invalid.
    ///
    /// References to files that are in the same file as this archive, such as a zip file, are invalid in every folder.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files.
    ///   - target: The folder of the other archive, or nil if it has none.
    ///   - report: A closure that receives the error if a file is missing, after which the reference remains; it does
    ///     nothing by default.
    /// - Returns: The entry with the content of the files, or nil if its references remain valid or a file is missing.
    /// - Throws: `limitExceeded` if a file is too large; `unreadableFile` if the zip file cannot be read.
    package func embeddingBodies(
        from folder: HAR.BodyFolder, unlessIn target: URL?,
        reportingUnread report: (HARError) -> Void = { _ in }
    ) throws(HARError) -> HAR.Entry? {
        guard !BodyReference.references(of: self).isEmpty, try folder.isContainer() || !folder.isSame(as: target) else {
            return nil
        }
        var entry = self
        do throws(HARError) {
            try entry.embedBodies(from: folder)
        } catch {
            guard error.code == .unreadableFile else { throw error }
            report(error)
            return nil
        }
        return entry
    }
}
