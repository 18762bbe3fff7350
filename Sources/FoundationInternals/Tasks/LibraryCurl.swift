#if canImport(FoundationNetworking)
    import CPlatform
    import FoundationNetworking

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
