package import RecordingFormats

/// The formats from which `har import` makes an archive.
package enum ImportFormats {
    /// All formats, in the order in which messages list them.
    package static let all: [any RecordingFormat.Type] =
        RecordingFormats.all + [
            InnernetConsole.self, VCRCassette.self, VCRPyCassette.self, PollyRecording.self, WireMockMappings.self,
            ReplayArchive.self, MitmproxyFlows.self,
        ]
}
