import Relay
import Testing

extension Test {
    /// The name of the test's archive, where none is given.
    var archiveName: String { TestName.archiveName(of: id.nameComponents) }
}
