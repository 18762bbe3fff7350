import Foundation
import HTTPArchive
import RecordingFormats
import Testing

@Suite(.limited) struct LenientJSONTests {
    private func value(_ text: String) throws -> JSONValue { try LenientJSON.value(of: Data(text.utf8)) }

    @Test func `a trailing comma is accepted`() throws {
        #expect(try value("[1, 2, ]") == [1, 2])
        #expect(try value("{\"a\": [1,\n],\n}\n") == ["a": [1]])
        #expect(try value(#"{"a": ",]", "b": "\",}",}"#) == ["a": ",]", "b": "\",}"])
    }

    @Test func `a byte order mark is ignored`() throws {
        #expect(try value("\u{FEFF}[1,]") == [1])
    }

    @Test(arguments: ["[,]", "[1,,]", "{,}", "[1,", "[1 2,]", ""])
    func `other invalid JSON is rejected`(text: String) {
        #expect(throws: HARError.self) { try value(text) }
    }

    @Test func `an error has the location in the file`() throws {
        let error = try #require(throws: HARError.self) { try value("[1,],\n ?") }
        #expect(error.code == .malformedJSON)
        #expect(error.context.byteOffset == 4)
        #expect(error.context.line == 1)
        #expect(error.context.column == 5)
        let marked = try #require(throws: HARError.self) { try value("\u{FEFF}[1,],\n ?") }
        #expect(marked.context.byteOffset == 7)
        #expect(marked.context.column == 5)
    }
}
