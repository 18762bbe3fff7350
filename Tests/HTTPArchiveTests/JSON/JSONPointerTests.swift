import HTTPArchive
import Testing

@Suite(.limited) struct JSONPointerTests {
    @Test(
        arguments: [
            ("", []), ("/", [""]), ("/log/entries/0", ["log", "entries", "0"]), ("/a~1b/m~0n", ["a/b", "m~n"]),
            ("/~01", ["~1"]), ("//", ["", ""]), ("/ /\"", [" ", "\""]), ("/é/😀", ["é", "😀"]), ("/~0~1~00", ["~/~0"]),
        ] as [(String, [String])])
    func `text and components are equivalent`(text: String, components: [String]) {
        #expect(JSONPointer(text: text)?.components == components)
        #expect(JSONPointer(components).description == text)
    }

    @Test func `nonempty text must start with a slash`() {
        #expect(JSONPointer(text: "log") == nil)
        #expect(JSONPointer(text: " /log") == nil)
        #expect(JSONPointer(text: "#/log") == nil)
    }

    @Test func `a pointer can be extended with names and indices`() {
        let pointer = JSONPointer().appending("log").appending("entries").appending(3).appending("a/b~")
        #expect(pointer.description == "/log/entries/3/a~1b~0")
        #expect(pointer == JSONPointer(["log", "entries", "3", "a/b~"]))
    }

    @Test(arguments: ["\u{301}x", "a/\u{301}", "~\u{301}", "\u{200D}", "/\u{FE0F}/", "~1\u{301}"])
    func `a name that starts with a combining character is preserved`(name: String) throws {
        let pointer = JSONPointer(["a", name, "b"])
        let copy = try #require(JSONPointer(text: pointer.description))
        #expect(copy.components.count == 3)
        #expect(copy.components[1].unicodeScalars.elementsEqual(name.unicodeScalars))
        #expect(JSONPointer(text: JSONPointer([name]).description) == JSONPointer([name]))
    }
}
