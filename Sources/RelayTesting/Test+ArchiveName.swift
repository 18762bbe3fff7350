import Relay
import Testing

extension Test {
    /// The default name of the test's archive.
    var archiveName: String { TestName.archiveName(of: id.nameComponents) }
}
