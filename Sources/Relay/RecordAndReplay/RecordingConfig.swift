public import HTTPArchive

/// The location of recordings, and whether requests are recorded.
public struct RecordingConfig: Sendable {
    /// The path of a file whose folder contains `__RelayRecords__`, the folder of all recordings.
    public var rootPath: String

    /// The name of the subfolder, from which `()` is removed.
    public var subfolder: String

    /// Whether requests are sent to the network and recorded, rather than replayed.
    public var enableRecording: Bool

    /// The layout of the folder.
    public var layout: RecordingLayout

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - rootPath: The path of a file whose folder contains `__RelayRecords__`; the calling file by default.
    ///   - subfolder: The name of the subfolder; the name of the calling function by default.
    ///   - enableRecording: Whether requests are recorded; `false` by default, which replays.
    ///   - layout: The layout of the folder; a single archive by default.
    public init(
        rootPath: String = #filePath, subfolder: String = #function, enableRecording: Bool = false,
        layout: RecordingLayout = .archive
    ) {
        self.rootPath = rootPath
        self.subfolder = subfolder
        self.enableRecording = enableRecording
        self.layout = layout
    }
}

/// The layout of a folder of recordings.
public struct RecordingLayout: Hashable, Sendable {
    private enum Kind { case archive, fileForEachRequest }

    private let kind: Kind

    /// A single archive, named after the folder.
    public static let archive = Self(kind: .archive)

    /// An archive for each request, named after the method, the URL and a hash of the sent data.
    public static let fileForEachRequest = Self(kind: .fileForEachRequest)
}

/// The selection of intercepted requests and the changes to their responses.
public struct InterceptionConfig: Sendable {
    /// The words to search for in URLs.
    ///
    /// A request is selected if its URL contains any of them. Without words, all requests are selected.
    public var urlKeywords: [String]

    /// The new values of JSON members at any depth, keyed by name.
    public var jsonValueOverrides: [String: JSONValue]

    /// Creates settings with strings as JSON values.
    ///
    /// - Parameters:
    ///   - urlKeywords: The words to search for in URLs; none by default, which selects all requests.
    ///   - jsonValueOverrides: The new string values of JSON members, keyed by name; none by default.
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: String] = [:]) {
        let values = jsonValueOverrides.mapValues { JSONValue.string(JSONString($0)) }
        self.init(urlKeywords: urlKeywords, jsonValueOverrides: values)
    }

    /// Creates settings with JSON values of any type.
    ///
    /// - Parameters:
    ///   - urlKeywords: The words to search for in URLs; none by default, which selects all requests.
    ///   - jsonValueOverrides: The new values of JSON members, keyed by name.
    @_disfavoredOverload
    public init(urlKeywords: [String] = [], jsonValueOverrides: [String: JSONValue]) {
        self.urlKeywords = urlKeywords
        self.jsonValueOverrides = jsonValueOverrides
    }
}
