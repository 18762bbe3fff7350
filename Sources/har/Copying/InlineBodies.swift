import Foundation
import HTTPArchive

extension HAR.Entry {
    /// Replaces references to body files with the content of the files.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Throws: `unreadableFile` or `limitExceeded` if a file cannot be read.
    mutating func inlineBodies(from folder: HAR.BodyFolder) throws(HARError) {
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
}
