import Relay
import Testing

extension Test {
    /// The default name of the test's archive.
    var archiveName: String { TestName.archiveName(of: id.nameComponents) }

    /// The command that runs the test and records the requests that have no entry yet.
    var recordingCommand: String { RecordingCommand.text(module: id.moduleName, names: id.nameComponents) }
}
