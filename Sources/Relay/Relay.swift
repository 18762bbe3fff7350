public import HTTPArchive

/// Records, replays and changes the HTTP traffic of tests and previews with a single call.
///
/// A call is in effect until its task ends, makes another call, or stops it, so concurrent tests do not affect each
/// other. For requests that other tasks and threads start, see the article Scopes of `RelayURLSession`.
public enum Relay {
    /// Records requests, or replays recorded ones.
    ///
    /// ```swift
    /// Relay.recordAndReplay(isRecordingEnabled: true, urlKeywords: ["api.example.com"])
    /// ```
    ///
    /// - Parameters:
    ///   - recordingRootFolder: The path of a file whose folder contains `__RelayRecords__`, the folder of all
    ///     recordings; the calling file by default.
    ///   - recordingFolder: The name of the subfolder; the name of the calling function by default.
    ///   - isRecordingEnabled: Whether requests are sent to the network and recorded; `false` by default, which
    ///     replays.
    ///   - urlKeywords: The words to search for in URLs. A request is selected if its URL contains any of them, and all
    ///     other requests are sent to the network. Without words (the default), all requests are selected.
    ///   - jsonValueOverrides: The new string values of JSON members at any depth, keyed by name; none by default.
    ///   - layout: The layout of the folder; a single archive by default.
    /// - Returns: The request processor, which does not have to be retained.
    @discardableResult
    public static func recordAndReplay(
        recordingRootFolder: String = #filePath, recordingFolder: String = #function, isRecordingEnabled: Bool = false,
        urlKeywords: [String] = [], jsonValueOverrides: [String: String] = [:], layout: RecordingLayout = .archive
    ) -> RecordingAndReplayingRequestProcessor {
        startRecordingAndReplaying(
            recordingConfig: RecordingConfig(
                rootPath: recordingRootFolder, subfolder: recordingFolder, enableRecording: isRecordingEnabled,
                layout: layout),
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Records requests, or replays recorded ones, with JSON values of any type.
    ///
    /// - Parameters:
    ///   - recordingRootFolder: The path of a file whose folder contains `__RelayRecords__`, the folder of all
    ///     recordings; the calling file by default.
    ///   - recordingFolder: The name of the subfolder; the name of the calling function by default.
    ///   - isRecordingEnabled: Whether requests are sent to the network and recorded; `false` by default, which
    ///     replays.
    ///   - urlKeywords: The words to search for in URLs. A request is selected if its URL contains any of them, and all
    ///     other requests are sent to the network. Without words (the default), all requests are selected.
    ///   - jsonValueOverrides: The new values of JSON members, keyed by name, such as `["id": 5, "o": ["a": nil]]`.
    ///   - layout: The layout of the folder; a single archive by default.
    /// - Returns: The request processor, which does not have to be retained.
    @discardableResult @_disfavoredOverload
    public static func recordAndReplay(
        recordingRootFolder: String = #filePath, recordingFolder: String = #function, isRecordingEnabled: Bool = false,
        urlKeywords: [String] = [], jsonValueOverrides: [String: JSONValue], layout: RecordingLayout = .archive
    ) -> RecordingAndReplayingRequestProcessor {
        startRecordingAndReplaying(
            recordingConfig: RecordingConfig(
                rootPath: recordingRootFolder, subfolder: recordingFolder, enableRecording: isRecordingEnabled,
                layout: layout),
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Changes responses to requests, which are sent to the network by default.
    ///
    /// - Parameters:
    ///   - requestProcessor: The request processor; the network by default.
    ///   - urlKeywords: The words to search for in URLs. A request is selected if its URL contains any of them. Without
    ///     words (the default), all requests are selected.
    ///   - jsonValueOverrides: The new string values of JSON members at any depth, keyed by name; none by default.
    /// - Returns: The interception, which does not have to be retained.
    @discardableResult
    public static func interceptAndModify(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(), urlKeywords: [String] = [],
        jsonValueOverrides: [String: String] = [:]
    ) -> ActiveInterception {
        startInterceptingAndModifying(
            requestProcessor: requestProcessor,
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Changes responses to requests, with JSON values of any type.
    ///
    /// - Parameters:
    ///   - requestProcessor: The request processor; the network by default.
    ///   - urlKeywords: The words to search for in URLs. A request is selected if its URL contains any of them. Without
    ///     words (the default), all requests are selected.
    ///   - jsonValueOverrides: The new values of JSON members, keyed by name, such as `["id": 5, "o": ["a": nil]]`.
    /// - Returns: The interception, which does not have to be retained.
    @discardableResult @_disfavoredOverload
    public static func interceptAndModify(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(), urlKeywords: [String] = [],
        jsonValueOverrides: [String: JSONValue]
    ) -> ActiveInterception {
        startInterceptingAndModifying(
            requestProcessor: requestProcessor,
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Records requests, or replays recorded ones, with the given settings.
    ///
    /// - Parameters:
    ///   - recordingConfig: The location of recordings, and whether requests are recorded.
    ///   - interceptionConfig: The intercepted requests and the changes to their responses; all requests and no changes
    ///     by default.
    /// - Returns: The request processor, which does not have to be retained.
    @discardableResult
    public static func startRecordingAndReplaying(
        recordingConfig: RecordingConfig, interceptionConfig: InterceptionConfig = InterceptionConfig()
    ) -> RecordingAndReplayingRequestProcessor {
        let processor = RecordingAndReplayingRequestProcessor(recordingConfig)
        processor.ends(
            with: startInterceptingAndModifying(requestProcessor: processor, interceptionConfig: interceptionConfig))
        return processor
    }

    /// Records requests, or replays recorded ones.
    ///
    /// By default, all requests are selected.
    ///
    /// For the location of recordings, see ``RecordingConfig/init(rootPath:subfolder:enableRecording:layout:)``.
    ///
    /// - Parameters:
    ///   - interceptionConfig: The intercepted requests and the changes to their responses; all requests and no changes
    ///     by default.
    ///   - rootPath: The path of a file whose folder contains `__RelayRecords__`; the calling file by default.
    ///   - subfolder: The name of the subfolder; the name of the calling function by default.
    ///   - enableRecording: Whether requests are recorded; `false` by default, which replays.
    /// - Returns: The request processor, which does not have to be retained.
    @discardableResult
    public static func startRecordingAndReplaying(
        interceptionConfig: InterceptionConfig = InterceptionConfig(), rootPath: String = #filePath,
        subfolder: String = #function, enableRecording: Bool = false
    ) -> RecordingAndReplayingRequestProcessor {
        startRecordingAndReplaying(
            recordingConfig: RecordingConfig(
                rootPath: rootPath, subfolder: subfolder, enableRecording: enableRecording),
            interceptionConfig: interceptionConfig)
    }

    /// Changes responses to requests, with the given settings.
    ///
    /// - Parameters:
    ///   - requestProcessor: The request processor; the network by default.
    ///   - interceptionConfig: The intercepted requests and the changes to their responses; all requests and no changes
    ///     by default.
    /// - Returns: The interception, which does not have to be retained.
    @discardableResult
    public static func startInterceptingAndModifying(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(),
        interceptionConfig: InterceptionConfig = InterceptionConfig()
    ) -> ActiveInterception {
        Interceptor(answering: interceptionConfig, by: requestProcessor).beginInterceptingForCompatibility()
    }

    /// Stops the interception of the calling task or thread.
    public static func stop() { CallerInterceptions.end(of: .current) }
}

extension Relay {
    /// Records requests, or replays recorded ones, during an operation.
    ///
    /// Requests from tasks created in the operation, except detached tasks, are included; see
    /// `Interceptor.interceptEverySession(isolation:during:)`. Use this method for concurrent tests of code that
    /// creates tasks.
    ///
    /// - Parameters:
    ///   - recordingConfig: The location of recordings, and whether requests are recorded.
    ///   - interceptionConfig: The intercepted requests and the changes to their responses; all requests and no changes
    ///     by default.
    ///   - isolation: The actor that the operation runs on; the caller's by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if `Interceptor.coverage` is `noSession`, or any error thrown by the operation.
    public static func recordingAndReplaying<Result>(
        recordingConfig: RecordingConfig, interceptionConfig: InterceptionConfig = InterceptionConfig(),
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async throws -> Result {
        let processor = RecordingAndReplayingRequestProcessor(recordingConfig)
        return try await Interceptor(answering: interceptionConfig, by: processor)
            .interceptEverySession(during: operation)
    }
}
