#if canImport(FoundationNetworking)
    import FoundationNetworking
    import Testing

    @testable import Relay

    @Suite struct StoredPropertyTests {
        private class Base {
            let number = 1
            let text = "base"
        }

        private class Derived: Base {
            let other = "derived"
        }

        /// Shows what it likes.
        private final class Changing: CustomReflectable {
            var names: [String] = []

            var customMirror: Mirror {
                Mirror(self, children: names.map { ($0, $0) }, ancestorRepresentation: .suppressed)
            }
        }

        @Test func `it is found in a class and in its superclass, again and again`() {
            let text = StoredProperty("text")
            for _ in 0..<3 {
                #expect(text.value(in: Base()) as? String == "base")
                #expect(text.value(in: Derived()) as? String == "base")
                #expect(StoredProperty("other").value(in: Derived()) as? String == "derived")
            }
        }

        @Test func `one that is not there is nil`() {
            #expect(StoredProperty("nothing").value(in: Derived()) == nil)
        }

        @Test func `a place that has another name is not believed`() {
            let property = StoredProperty("b")
            let object = Changing()
            for names in [["a", "b"], ["b", "a"], ["b"], ["a"], [], ["a", "a", "b"]] {
                object.names = names
                #expect(property.value(in: object) as? String == (names.contains("b") ? "b" : nil))
            }
        }

        @Test func `a task has its session and its queue`() {
            let session = URLSession(configuration: .ephemeral)
            let task = session.dataTask(with: URLRequest("http://a/"))
            #expect(StoredProperty("session").value(in: task) as? URLSession === session)
            #expect(StoredProperty("workQueue").value(in: task) != nil)
        }
    }
#endif
