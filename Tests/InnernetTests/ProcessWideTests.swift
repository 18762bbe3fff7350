import Testing

/// Tests that run one at a time, because the library's settings and intercepts apply to the whole process.
@Suite(.limited, .serialized) enum ProcessWideTests {}
