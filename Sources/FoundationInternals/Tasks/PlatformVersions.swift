/// The versions of the libraries that capabilities depend on.
package enum PlatformVersions {
    /// The version of the Swift compiler, which is usually also the version of the Swift libraries.
    package static var swift: String {
        #if compiler(>=6.5)
            "Swift 6.5 or later"
        #elseif compiler(>=6.4)
            "Swift 6.4"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #elseif compiler(>=6.2)
            "Swift 6.2"
        #else
            "Swift 6.1"
        #endif
    }

    /// The version of libcurl that FoundationNetworking uses, such as `libcurl/8.5.0`, or nil if it is unknown.
    package static var curl: String? {
        #if canImport(FoundationNetworking)
            LibraryCurl.version
        #else
            nil
        #endif
    }

    /// All known versions.
    package static var description: String { curl.map { "\(swift) and \($0)" } ?? swift }
}
