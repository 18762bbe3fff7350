import Foundation

extension URLError {
    /// The error of a request that a rule lets fail.
    init(byRule code: Code) {
        self.init(
            code,
            userInfo: [NSLocalizedDescriptionKey: "A rule lets this request fail (URLError code \(code.rawValue))."])
    }

    /// The error with the URL of its request, as live ones have it, unless there is one.
    func failing(at url: String) -> URLError {
        guard failingURL == nil, let url = URL(text: url) else { return self }
        return URLError(code, userInfo: userInfo.merging([NSURLErrorFailingURLErrorKey: url]) { $1 })
    }
}
