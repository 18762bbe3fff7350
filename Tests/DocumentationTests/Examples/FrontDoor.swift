import Relay

/// The examples in Docs/Migration/Relay.md, for users of the original library with the same name.
func recordThroughTheFrontDoor() {
    Relay.recordAndReplay(
        isRecordingEnabled: true,
        urlKeywords: ["api.example.com"],
        jsonValueOverrides: ["token": "REDACTED"])

    Relay.interceptAndModify(jsonValueOverrides: ["id": "x", "n": 5, "b": true, "l": [1], "o": ["a": nil]])
}
