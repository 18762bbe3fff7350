import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The calls of the system that change an open file, which tests have fail or stop half-way.
struct FileCalls {
    /// Writes bytes at a place, and gives their number, as `pwrite` does.
    var write: (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int = {
        pwrite($0, $1.baseAddress, $1.count, off_t($2))
    }

    /// Makes a file end at a place, as `ftruncate` does.
    var truncate: (_ descriptor: Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }

    /// Has everything written reach the disk, as `fsync` does.
    var synchronize: (_ descriptor: Int32) -> Int32 = { descriptor in
        #if canImport(Darwin)
            // fsync(2) of macOS leaves it in the disk's own memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }
}
