import HTTPArchive
import Relay
import Testing

@Suite(.limited) struct RecordingSettingsTests {
    @Test func `by default, all bodies are embedded in the archive`() {
        let settings = RecordingConfiguration()
        #expect(settings.bodies == .embed)
        #expect(settings.mediaTypes == nil)
        #expect(settings.maximumBodySize == nil)
        #expect(settings.largestEmbeddedBody == 33_554_432)
        #expect(settings.repeatable == nil)
        #expect(settings.layout == .pretty)
        #expect(settings.redaction == .standard)
    }

    @Test func `the ways to store bodies are distinct`() {
        #expect(Set([RecordingConfiguration.Bodies.embed, .attach, .omit]).count == 3)
    }
}
