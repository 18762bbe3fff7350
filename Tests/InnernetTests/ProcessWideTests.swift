import Testing

/// Everything that uses the library, whose settings and intercepts are those of the process: one test after the other.
@Suite(.serialized) enum ProcessWideTests {}
