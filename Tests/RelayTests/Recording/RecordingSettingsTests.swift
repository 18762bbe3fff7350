import HTTPArchive
import Relay
import Testing

@Suite struct RecordingSettingsTests {
    @Test func `the default keeps all bodies in the archive, as they were`() {
        let settings = RecordingConfiguration()
        #expect(settings.bodies == .embed)
        #expect(settings.mediaTypes == nil)
        #expect(settings.maximumBodySize == nil)
        #expect(settings.largestEmbeddedBody == 33_554_432)
        #expect(settings.repeatable == nil)
        #expect(settings.layout == .pretty)
        #expect(settings.redaction == .standard)
    }

    @Test func `places of bodies differ`() {
        #expect(Set([RecordingConfiguration.Bodies.embed, .attach, .omit]).count == 3)
    }
}
