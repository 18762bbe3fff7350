#if Server
    import Foundation
    package import HTTPArchive
    package import RelayCore

    extension HAR.Entry {
        /// Creates an entry for an exchange that was not recorded, such as a replayed one.
        ///
        /// - Parameters:
        ///   - exchange: The exchange.
        ///   - archives: The archives, which can contain the response; none by default.
        package init(_ exchange: ObservedExchange, from archives: [HARArchive] = []) {
            var recorded: HAR.Response?
            if case .archive(let name, let index) = exchange.source,
                let archive = archives.first(where: { $0.url.lastPathComponent == name || $0.url.path == name }),
                index < archive.count
            {
                recorded = try? archive.entry(at: index).response
            }
            let milliseconds = exchange.duration / .milliseconds(1)
            var response =
                recorded ?? HAR.Response(status: 0, content: HAR.Content(size: exchange.bodySize, mimeType: ""))
            switch exchange.result {
            case .success(let status): response.status = status
            case .failure(let error):
                response["_error"] = .string(JSONString("\(type(of: error)) \((error as NSError).code)"))
            }
            self.init(
                startedDateTime: HAR.text(Date(timeIntervalSinceNow: -milliseconds / 1000)), time: milliseconds,
                request: HAR.Request(exchange.request), response: response,
                timings: HAR.Timings(send: 0, wait: milliseconds, receive: 0))
            for (name, value) in exchange.customFields { self[name] = value }
            self["_source"] = .string(JSONString("\(exchange.source)"))
        }
    }
#endif
