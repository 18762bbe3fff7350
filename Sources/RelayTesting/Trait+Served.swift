#if Server
    public import Foundation
    public import HTTPArchive
    public import Relay
    public import RelayServer
    public import Testing

    extension Trait where Self == ReplayTrait {
        /// Runs a test, or each test in a suite, with a server that responds from archives to any HTTP client.
        ///
        /// ```swift
        /// @Test(.served(by: "shop")) func `the client shows the items`() async throws {
        ///     let server = try #require(RelayServer.current)
        ///     let client = ShopClient(baseURL: server.url)
        ///     try await #expect(client.items().count == 3)
        /// }
        /// ```
        ///
        /// Each test has a server on a separate port, so tests can run in parallel. Requests in sessions are not
        /// intercepted. Archives are found, and settings are inherited, as with
        /// ``replay(_:in:folder:matching:redaction:rules:configuration:mode:reportsMisses:reportsUnusedEntries:reportsUnusedRules:reportsChangedBodies:fileID:filePath:line:column:)``.
        /// The mode is always `replay`, because a server does not record.
        ///
        /// - Parameters:
        ///   - names: The names of the archives in order of precedence; inherited or derived from the test if omitted.
        ///   - server: The settings of the server; defaults if omitted.
        ///   - bundle: A bundle with archives in its resources, such as `.module`; nil by default.
        ///   - folder: The only folder to search for archives, absolute or relative to the folder of the trait's file.
        ///   - matching: The rules for selecting entries; the setting in `configuration` by default.
        ///   - redaction: The redaction settings for messages; the setting in `configuration` by default.
        ///   - rules: Additional rules, such as stubs and overrides; none by default.
        ///   - configuration: All other settings of the interceptor; defaults if omitted.
        ///   - reportsMisses: Whether each miss is reported as an issue of the test; `true` by default.
        ///   - reportsUnusedEntries: Whether unused entries are reported as an issue of the test; `false` by default.
        ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue of the test;
        ///     `false` by default.
        ///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as an issue
        ///     of the test instead of a warning; `false` by default.
        ///   - fileID: The trait's file.
        ///   - filePath: The path of the trait's file, whose folder is searched for archives.
        ///   - line: The trait's line.
        ///   - column: The trait's column.
        /// - Returns: The trait.
        public static func served(
            by names: String..., server: RelayServer.Configuration = .init(), in bundle: Bundle? = nil,
            folder: String? = nil, matching: RequestMatching? = nil, redaction: HARRedactor.Configuration? = nil,
            rules: [Rule] = [], configuration: Interceptor.Configuration? = nil, reportsMisses: Bool? = nil,
            reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) -> Self {
            var settings = ReplaySettings(
                folder: folder, bundle: bundle, matching: matching, redaction: redaction, rules: rules,
                configuration: configuration, mode: .replay, reportsMisses: reportsMisses,
                reportsUnusedEntries: reportsUnusedEntries, reportsUnusedRules: reportsUnusedRules,
                reportsChangedBodies: reportsChangedBodies, filePath: filePath)
            settings.server = server
            return ReplayTrait(
                names.isEmpty && !rules.isEmpty ? .optional : .named(names), settings: settings,
                sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        }
    }

    extension RelayServer {
        /// The server of the current test, or nil if the test does not have the trait `served`.
        @TaskLocal public static var current: RelayServer?
    }

    extension Interceptor {
        /// Runs the code of a test with a server.
        func serve(
            _ test: @Sendable () async throws -> Void, configuration: RelayServer.Configuration
        ) async throws {
            try await serve(configuration: configuration) { server in
                try await RelayServer.$current.withValue(server) { try await test() }
            }
        }
    }
#endif
