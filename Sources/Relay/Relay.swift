import RelayCore
import RelayURLSession
public import HTTPArchive

/// Records, replays and changes the HTTP traffic of tests and previews by one call.
///
/// A call holds until the task that makes it is over, makes another one, or stops it: calls of tests in parallel do not meet.
/// <doc:Scopes> says what becomes of requests that other tasks and threads start.
public enum Relay {
    /// Records requests, or replays what was recorded.
    ///
    /// ```swift
    /// Relay.recordAndReplay(isRecordingEnabled: true, urlKeywords: ["api.example.com"])
    /// ```
    ///
    /// - Parameters:
    ///   - recordingRootFolder: A file; recordings are in the folder `__RelayRecords__` beside it. The calling one by default.
    ///   - recordingFolder: The name of the folder in it; by default that of the calling function.
    ///   - isRecordingEnabled: Whether requests go to the network and are recorded; `false` by default, which replays.
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default. Others go to the network.
    ///   - jsonValueOverrides: Texts for the members of JSON that have these names, wherever they stand; none by default.
    ///   - layout: What the folder holds; one archive by default.
    /// - Returns: What answers, which need not be kept.
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

    /// Records requests, or replays what was recorded, with values of JSON of any kind.
    ///
    /// - Parameters:
    ///   - recordingRootFolder: A file beside which recordings are; the calling one by default.
    ///   - recordingFolder: The name of their folder; by default that of the calling function.
    ///   - isRecordingEnabled: Whether requests go to the network and are recorded; `false` by default, which replays.
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default. Others go to the network.
    ///   - jsonValueOverrides: Values for the members of JSON that have these names, such as `["id": 5, "o": ["a": nil]]`.
    ///   - layout: What the folder holds; one archive by default.
    /// - Returns: What answers, which need not be kept.
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

    /// Changes the answers to requests, which go to the network unless something else is said.
    ///
    /// - Parameters:
    ///   - requestProcessor: What answers; the network by default.
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default.
    ///   - jsonValueOverrides: Texts for the members of JSON that have these names, wherever they stand; none by default.
    /// - Returns: What ends it; it need not be kept.
    @discardableResult
    public static func interceptAndModify(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(), urlKeywords: [String] = [],
        jsonValueOverrides: [String: String] = [:]
    ) -> ActiveInterception {
        startInterceptingAndModifying(
            requestProcessor: requestProcessor,
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Changes the answers to requests, with values of JSON of any kind.
    ///
    /// - Parameters:
    ///   - requestProcessor: What answers; the network by default.
    ///   - urlKeywords: What the URLs of the requests contain; all requests by default.
    ///   - jsonValueOverrides: Values for the members of JSON that have these names, such as `["id": 5, "o": ["a": nil]]`.
    /// - Returns: What ends it; it need not be kept.
    @discardableResult @_disfavoredOverload
    public static func interceptAndModify(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(), urlKeywords: [String] = [],
        jsonValueOverrides: [String: JSONValue]
    ) -> ActiveInterception {
        startInterceptingAndModifying(
            requestProcessor: requestProcessor,
            interceptionConfig: InterceptionConfig(urlKeywords: urlKeywords, jsonValueOverrides: jsonValueOverrides))
    }

    /// Records requests, or replays what was recorded, as settings say.
    ///
    /// - Parameters:
    ///   - recordingConfig: Where recordings are, and whether they are made.
    ///   - interceptionConfig: Which requests are taken, and what is changed in answers; all and nothing by default.
    /// - Returns: What answers, which need not be kept.
    @discardableResult
    public static func startRecordingAndReplaying(
        recordingConfig: RecordingConfig, interceptionConfig: InterceptionConfig = InterceptionConfig()
    ) -> RecordingAndReplayingRequestProcessor {
        let processor = RecordingAndReplayingRequestProcessor(recordingConfig)
        processor.ends(
            with: startInterceptingAndModifying(requestProcessor: processor, interceptionConfig: interceptionConfig))
        return processor
    }

    /// Changes the answers to requests as settings say.
    ///
    /// - Parameters:
    ///   - requestProcessor: What answers; the network by default.
    ///   - interceptionConfig: Which requests are taken, and what is changed in answers; all and nothing by default.
    /// - Returns: What ends it; it need not be kept.
    @discardableResult
    public static func startInterceptingAndModifying(
        requestProcessor: any RequestProcessor = LiveRequestAndReplayRequestProcessor(),
        interceptionConfig: InterceptionConfig = InterceptionConfig()
    ) -> ActiveInterception {
        Interceptor(answering: interceptionConfig, by: requestProcessor).beginInterceptingForCaller()
    }

    /// Stops what the task or thread that calls has begun, before it is over.
    public static func stop() { CallerInterceptions.end(of: .current) }
}

extension Relay {
    /// Records requests, or replays what was recorded, during an operation.
    ///
    /// All tasks that are made in the operation belong to it, as ``Interceptor/interceptEverySession(isolation:during:)``
    /// says: this is the form for tests whose code makes tasks and that run in parallel.
    ///
    /// - Parameters:
    ///   - recordingConfig: Where recordings are, and whether they are made.
    ///   - interceptionConfig: Which requests are taken, and what is changed in answers; all and nothing by default.
    ///   - isolation: The actor that the operation runs on; the caller's by default.
    ///   - operation: What makes the requests.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public static func recordingAndReplaying<Result>(
        recordingConfig: RecordingConfig, interceptionConfig: InterceptionConfig = InterceptionConfig(),
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async rethrows -> Result {
        let processor = RecordingAndReplayingRequestProcessor(recordingConfig)
        return try await Interceptor(answering: interceptionConfig, by: processor)
            .interceptEverySession(during: operation)
    }
}
