import ArchiveChecking
import Foundation
import HTTPArchive
import Relay

@testable import RelayCore
@testable import RelayURLSession

extension CapturedExchange {
    /// Returns an exchange that has the specified request and response.
    static func exchange(
        _ method: String = "GET", _ url: String = "http://a.example/", requested: KeyValuePairs<String, String> = [:],
        sent: Data? = nil, status: Int? = 200, fields: KeyValuePairs<String, String> = [:], received: Data = Data(),
        error: (any Error)? = nil
    ) -> CapturedExchange {
        let header = { (field: (key: String, value: String)) in HeaderField(name: field.key, value: field.value) }
        let request = InterceptedRequest(method: method, url: url, headers: requested.map(header), body: sent)
        return CapturedExchange(
            request: request, start: Date(timeIntervalSince1970: 1_767_225_600.25),
            head: status.map { Head(status: $0, statusText: "S", headers: fields.map(header)) },
            body: SpooledBody(received), error: error, wire: Wire(httpVersion: "HTTP/1.1"))
    }

    /// Returns the entry for this exchange, in an archive folder that does not exist by default.
    func entry(
        _ settings: RecordingConfiguration = RecordingConfiguration(),
        in folder: URL = URL(fileURLWithPath: "/no-folder")
    ) throws -> HAR.Entry {
        try EntryBuilder(settings: settings, folder: folder).entry(for: self, page: nil)
    }
}

extension HAR.Entry {
    /// Checks an archive that contains only this entry and its page, and returns the findings.
    func findings() throws -> [HARFinding] {
        var log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"))
        log.fields["entries"] = .array([.object(fields)])
        if let pageref {
            log.pages = [HAR.Page(startedDateTime: startedDateTime, id: pageref, title: "Test")]
        }
        var findings: [HARFinding] = []
        let document = JSONValue.object(["log": .object(log.fields)])
        try HARChecker.check(HARReader(data: document.data())) { findings.append($0) }
        return findings
    }
}
