import Relay

/// What those write who come from the library of the same name; Docs/Migration/Relay.md has it.
func recordThroughTheFrontDoor() {
    Relay.recordAndReplay(
        isRecordingEnabled: true,
        urlKeywords: ["api.example.com"],
        jsonValueOverrides: ["token": "REDACTED"])
}
