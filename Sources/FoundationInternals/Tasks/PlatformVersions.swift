#if canImport(FoundationNetworking)
    import CPlatform
    import FoundationNetworking
#endif

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

#if canImport(FoundationNetworking)
    /// The copy of libcurl that FoundationNetworking uses.
    ///
    /// This package does not link libcurl.
    enum LibraryCurl {
        private static var library: UnsafeRawPointer {
            unsafeBitCast(URLSession.self as AnyClass, to: UnsafeRawPointer.self)
        }

        /// The version, such as `libcurl/8.5.0`, or nil if it is unknown.
        static var version: String? {
            guard let text = transfer_library_version(library) else { return nil }
            return String(cString: text).split(separator: " ").first.map(String.init)
        }

        /// Whether transfers can be observed.
        static var isObservable: Bool { transfer_can_be_observed(library) != 0 }
    }
#endif
