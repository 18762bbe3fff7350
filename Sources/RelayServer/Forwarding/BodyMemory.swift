#if Server
    import RelayCore

    /// The memory of the responses that are being received and recorded.
    final class BodyMemory {
        /// The size of all bodies in memory, in bytes.
        var size = 0

        /// The file for other bodies.
        let spool = SharedSpool()

        /// The size up to which the next body is in memory, in bytes.
        ///
        /// Very many clients can read large responses slowly. Then, further bodies are in files.
        var limit: Int { size < 1 << 27 ? SpooledBody.memoryLimit : 1 << 14 }
    }
#endif
