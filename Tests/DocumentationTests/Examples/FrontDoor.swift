import Relay

/// The examples for users of the library of the same name, in Docs/Migration/Relay.md.
func recordThroughTheFrontDoor() {
    Relay.recordAndReplay(
        isRecordingEnabled: true,
        urlKeywords: ["api.example.com"],
        jsonValueOverrides: ["token": "REDACTED"])
}
