#if Verifying
    public import Relay
    public import Testing

    extension Trait where Self == ReplayTrait {
        /// Answers the requests of a test from archives, and compares the archives with the recorded servers from time to
        /// time.
        ///
        /// ```swift
        /// @Test(.replay("shop", verifying: .weekly)) func `the shop has apples`() async throws { … }
        /// ```
        ///
        /// Archives are found, and settings are inherited, as with
        /// ``replay(_:in:folder:matching:redaction:rules:configuration:mode:reportsMisses:reportsUnusedEntries:reportsUnusedRules:reportsChangedBodies:fileID:filePath:line:column:)``.
        ///
        /// - Parameters:
        ///   - names: The names of the archives in order of precedence; inherited or derived from the test if omitted.
        ///   - verification: The times of the comparisons.
        ///   - matching: The rules for selecting entries; the setting in `configuration` by default.
        ///   - rules: Additional rules, such as stubs and overrides; none by default.
        ///   - configuration: All other settings of the interceptor; defaults if omitted.
        ///   - fileID: The trait's file.
        ///   - filePath: The path of the trait's file, whose folder is searched for archives.
        ///   - line: The trait's line.
        ///   - column: The trait's column.
        /// - Returns: The trait.
        public static func replay(
            _ names: String..., verifying verification: Verification, matching: RequestMatching? = nil,
            rules: [Rule] = [], configuration: Interceptor.Configuration? = nil, fileID: String = #fileID,
            filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) -> Self {
            var settings = ReplaySettings(
                matching: matching, rules: rules, configuration: configuration, filePath: filePath)
            settings.verification = verification
            return ReplayTrait(
                .named(names), settings: settings,
                sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
        }
    }
#endif
