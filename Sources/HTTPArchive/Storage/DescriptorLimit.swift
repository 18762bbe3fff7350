import Foundation

/// The number of files and connections that the process may have open.
package enum DescriptorLimit {
    /// Raises the limit as far as the system allows, and returns it.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 16))
        setrlimit(resource, &limit)
        return Int(limit.rlim_cur)
    }
}
