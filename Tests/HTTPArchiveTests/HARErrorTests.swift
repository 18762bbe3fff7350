import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARErrorTests {
    @Test func `a location is formatted as in compiler messages`() {
        let pointer = JSONPointer(["log", "entries", "4"])
        #expect(HARError.Context().description.isEmpty)
        #expect(HARError.Context(file: "a.har").description == "a.har")
        #expect(HARError.Context(byteOffset: 212).description == "byte 212")
        #expect(HARError.Context(line: 3, column: 17).description == "3:17")
        #expect(HARError.Context(file: "a.har", line: 3, column: 17).description == "a.har:3:17")
        #expect(HARError.Context(pointer: pointer).description == "/log/entries/4")
        #expect(
            HARError.Context(file: "a.har", pointer: pointer, byteOffset: 212, line: 3, column: 17).description
                == "a.har:3:17: /log/entries/4 (byte 212)")
    }

    @Test func `the description of an error contains its location and message`() {
        let error = HARError(.malformedJSON, "Broken.", at: .init(file: "a.har", byteOffset: 7))
        #expect("\(error)" == "a.har (byte 7): Broken. [malformedJSON]")
        #expect(error.localizedDescription == "\(error)")
        #expect("\(HARError(.malformedJSON, "Broken."))" == "Broken. [malformedJSON]")
    }

    @Test func `error codes are distinct and have distinct descriptions`() {
        let codes: [HARError.Code] = [
            .unreadableFile, .unwritableFile, .malformedJSON, .notAnArchive, .limitExceeded, .invalidOrder,
            .bodyNotCaptured, .entryNotReplayable, .editFailed, .incompleteRecording,
        ]
        #expect(Set(codes).count == codes.count)
        #expect(codes.map(\.description).first == "unreadableFile")
        #expect(Set(codes.map(\.description)).count == codes.count)
    }

    @Test func `an error keeps its underlying error`() throws {
        let error = HARError(.unreadableFile, "No.", underlying: CocoaError(.fileNoSuchFile))
        #expect(error.underlying is CocoaError)
        let decoded = #expect(throws: HARError.self) { _ = try HAR.Log(data: Data("<html>".utf8)) }
        #expect((decoded?.underlying as? HARError)?.code == .malformedJSON)
    }
}
