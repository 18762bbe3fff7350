import Foundation
import HTTPArchive

extension HarRun {
    /// Runs `har diff` with two archives.
    static func diff(_ first: HAR.Log, _ second: HAR.Log, _ options: String...) async throws -> HarRun {
        let folder = try TemporaryFolder()
        try folder.write(first, to: "a.har")
        try folder.write(second, to: "b.har")
        return try await HarRun(["diff"] + options + ["a.har", "b.har"], in: folder)
    }
}

extension HAR.Entry {
    /// Returns an entry with a JSON body.
    static func json(_ body: String, url: String = "https://a.test/", headers: [HAR.Header] = []) -> HAR.Entry {
        .sample("GET", url, headers: headers, body: body, type: "application/json")
    }

    /// Returns an entry for a POST request with a body.
    static func post(_ body: String, type: String = "application/json", response: String = "") -> HAR.Entry {
        var entry = HAR.Entry.sample("POST", "https://a.test/post", body: response)
        entry.request.postData = HAR.PostData(mimeType: type, text: body)
        return entry
    }
}
