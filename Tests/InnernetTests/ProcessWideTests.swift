import Testing

/// All tests of the library, one at a time because its settings and intercepts apply to the process.
@Suite(.serialized) enum ProcessWideTests {}
