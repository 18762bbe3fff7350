import HTTPArchive

extension Summary {
    /// The summary for machines.
    ///
    /// - Parameters:
    ///   - log: The rest of the archive.
    ///   - file: What the archive is called.
    ///   - size: The size of the file in bytes, if it is known.
    /// - Returns: One object.
    func json(of log: HAR.Log, file: String, size: Int?) -> JSONValue {
        var summary: JSONObject = [
            "file": .text(file),
            "bytes": .integer(size),
            "version": .text(log.version),
            "creator": json(of: log.creator),
            "browser": json(of: log.browser),
            "entries": .integer(count),
            "firstStart": .text(started.map { HAR.text($0.lowerBound) }),
            "lastStart": .text(started.map { HAR.text($0.upperBound) }),
            "seconds": .double(span),
            "pages": .array(
                (log.pages ?? []).map { page in
                    [
                        "id": .text(page.id), "title": .text(page.title),
                        "startedDateTime": .text(page.startedDateTime),
                        "onLoad": .double(page.pageTimings.onLoad),
                    ]
                }),
            "bodyBytes": .integer(bodyBytes),
            "receivedBytes": .integer(receivedBytes),
            "hosts": hosts.json("host", hasBytes: true),
            "methods": methods.json("method"),
            "statuses": .array(
                statuses.rows.map { ["status": .integer(Int($0.name)), "count": .integer($0.count)] }),
            "types": types.json("type", hasBytes: true),
            "replayable": .integer(replayable),
            "failing": failures.json("failure"),
            "notReplayable": notReplayable.json("reason"),
        ]
        if let error { summary["error"] = .text(error.description) }
        return .object(summary)
    }

    private func json(of program: HAR.Creator?) -> JSONValue {
        program.map { ["name": .text($0.name), "version": .text($0.version)] } ?? .null
    }
}
