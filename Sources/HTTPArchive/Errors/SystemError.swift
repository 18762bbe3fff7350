import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Descriptions of system errors, for use in messages.
package enum SystemError {
    /// Returns the system's description of an error, with advice for common errors.
    ///
    /// - Parameters:
    ///   - number: The error number; `errno` by default.
    ///   - isOutput: Whether the call was creating a file, so that `ENOENT` means a missing folder; false by default.
    /// - Returns: Sentences such as `No such file or directory. Check the path.`
    package static func reason(_ number: Int32 = errno, ofOutput isOutput: Bool = false) -> String {
        let advice: String? =
            switch number {
            case ENOENT: isOutput ? "Create its folder first." : "Check the path."
            case ENOTDIR, ENAMETOOLONG, ELOOP: "Check the path."
            case EISDIR: "Specify a file instead of a folder."
            case EACCES, EPERM: "Check the permissions of the file and its folder."
            case EROFS: "Choose a path on another file system."
            case ENOSPC, EDQUOT: "Free up space, or choose a path on another file system."
            case EFBIG: "Raise the limit on the size of files, which `ulimit -f` shows."
            case EMFILE: "Close other files, or raise the limit of open files."
            default: nil
            }
        return String(cString: strerror(number)) + "." + (advice.map { " \($0)" } ?? "")
    }
}

extension Error {
    /// The error number of a failed file operation, or nil if the operation failed for another reason.
    private var systemErrorNumber: Int32? {
        let error = self as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : nil
    }

    /// The system's description of why a file operation failed, such as `No such file or directory`.
    package var fileErrorReason: String {
        systemErrorNumber.map { String(cString: strerror($0)) } ?? localizedDescription
    }

    /// The system's description of why a file could not be read, with advice for common errors, as sentences.
    package var fileErrorExplanation: String {
        systemErrorNumber.map { SystemError.reason($0) } ?? localizedDescription
    }
}
