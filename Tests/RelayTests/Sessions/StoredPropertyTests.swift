#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    import Relay
    @testable import FoundationInternals
    @testable import RelayCore
    @testable import RelayURLSession

    @Suite(.limited) struct StoredPropertyTests {
        private class Base {
            let number = 1
            let text = "base"
        }

        private class Derived: Base {
            let other = "derived"
        }

        /// A class with a configurable mirror.
        private final class Changing: CustomReflectable {
            var names: [String] = []

            var customMirror: Mirror {
                Mirror(self, children: names.map { ($0, $0) }, ancestorRepresentation: .suppressed)
            }
        }

        @Test func `a property is found in a class and in its superclass, on each lookup`() {
            let text = StoredProperty("text")
            for _ in 0..<3 {
                #expect(text.value(in: Base()) as? String == "base")
                #expect(text.value(in: Derived()) as? String == "base")
                #expect(StoredProperty("other").value(in: Derived()) as? String == "derived")
            }
        }

        @Test func `a missing property is nil`() {
            #expect(StoredProperty("nothing").value(in: Derived()) == nil)
        }

        @Test func `a cached offset is rejected if the property at that offset has another name`() {
            let property = StoredProperty("b")
            let object = Changing()
            for names in [["a", "b"], ["b", "a"], ["b"], ["a"], [], ["a", "a", "b"]] {
                object.names = names
                #expect(property.value(in: object) as? String == (names.contains("b") ? "b" : nil))
            }
        }

        private class Owner {
            var first: AnyObject?
            var second: AnyObject?
            weak var third: AnyObject?
        }

        private final class DerivedOwner: Owner {
            var fourth: AnyObject?
        }

        @Test func `a reference is the current value of the property`() {
            let first = StoredProperty("first")
            let second = StoredProperty("second")
            for owner in [Owner(), DerivedOwner(), Owner(), DerivedOwner()] {
                let objects = [Base(), Derived(), Base()]
                for object in objects {
                    owner.first = object
                    owner.second = Derived()
                    #expect(first.reference(in: owner, as: Base.self) === object)
                    #expect(second.reference(in: owner, as: Derived.self) === owner.second)
                }
                owner.first = nil
                #expect(first.reference(in: owner, as: Base.self) == nil)
            }
        }

        @Test func `a reference to an object of another class is nil`() {
            let property = StoredProperty("first")
            let owner = Owner()
            for _ in 0..<3 {
                owner.first = Base()
                #expect(property.reference(in: owner, as: Base.self) != nil)
                owner.first = Changing()
                #expect(property.reference(in: owner, as: Base.self) == nil)
            }
            #expect(StoredProperty("nothing").reference(in: owner, as: Base.self) == nil)
        }

        @Test func `a reference is correct if two properties are equal or if it is weak`() {
            let property = StoredProperty("first")
            let weakly = StoredProperty("third")
            let owner = Owner()
            let (one, other) = (Base(), Base())
            owner.first = one
            owner.second = one
            owner.third = one
            #expect(property.reference(in: owner, as: Base.self) === one)
            owner.second = other
            #expect(property.reference(in: owner, as: Base.self) === one)
            owner.first = other
            owner.second = one
            #expect(property.reference(in: owner, as: Base.self) === other)
            #expect(weakly.reference(in: owner, as: Base.self) === one)
        }

        private class Flags {
            let name = "flags"
            var isFirst = true
            var isSecond = true
            var number = -1
        }

        private final class DerivedFlags: Flags {
            var isThird = true
        }

        @Test func `a flag is cleared, and adjacent memory is unchanged`() {
            let (second, third) = (StoredProperty("isSecond"), StoredProperty("isThird"))
            for flags in [Flags(), DerivedFlags(), Flags(), DerivedFlags()] {
                second.set(false, in: flags)
                #expect(flags.name == "flags" && flags.isFirst && !flags.isSecond && flags.number == -1)
                second.set(false, in: flags)
                third.set(false, in: flags)
                #expect(flags.isFirst && !flags.isSecond && (flags as? DerivedFlags)?.isThird != true)
            }
        }

        @Test func `clearing a property that is not a set flag does not change it`() {
            let flags = Flags()
            flags.isFirst = false
            for name in ["isFirst", "name", "number", "nothing"] { StoredProperty(name).set(false, in: flags) }
            #expect(flags.name == "flags" && !flags.isFirst && flags.isSecond && flags.number == -1)
        }

        private enum Key: String {
            case first, second
        }

        private class Values {
            let name = "values"
            var values: [Key: Any] = [:]
            var other: [String: Int] = [:]
        }

        private final class DerivedValues: Values {}

        @Test func `a value is stored in a dictionary with private keys`() {
            let property = StoredProperty("values")
            for values in [Values(), DerivedValues(), Values()] {
                #expect(property.store(1, forKey: "second", in: values))
                #expect(property.store("text", forKey: "first", in: values))
                #expect(values.values[.second] as? Int == 1 && values.values[.first] as? String == "text")
                #expect(values.name == "values" && values.other.isEmpty)
            }
        }

        @Test func `nothing is stored for an unknown key, in another type, or in a missing property`() {
            let values = Values()
            #expect(!StoredProperty("values").store(1, forKey: "third", in: values))
            for name in ["other", "name", "nothing"] {
                #expect(!StoredProperty(name).store(1, forKey: "first", in: values))
            }
            #expect(values.values.isEmpty && values.other.isEmpty)
        }

        @Test func `an awaited call completes on the delegate queue of its session`() async throws {
            final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
                let flags = Log<Bool>()

                func urlSession(
                    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
                    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
                ) {
                    if let flag = StoredProperty("_callCompletionHandlerInline").value(in: task) as? Bool {
                        flags.append(flag)
                    }
                    completionHandler(request)
                }
            }
            let delegate = Delegate()
            let session = Interceptor.responding {
                $0.url.hasSuffix("2") ? $0.reply("x") : $0.reply(status: 302, headers: ["Location": "/2"])
            }.session(delegate: delegate)
            for _ in 0..<3 { _ = try await session.data(from: URL("https://a/1")) }
            #expect(delegate.flags.events == [false, false, false])
        }

        @Test func `the session and the queue of a task are found`() {
            let session = URLSession(configuration: .ephemeral)
            let task = session.dataTask(with: URLRequest("http://a/"))
            let property = StoredProperty("session")
            for _ in 0..<3 { #expect(property.reference(in: task, as: URLSession.self) === session) }
            #expect(StoredProperty("workQueue").value(in: task) != nil)
        }
    }
#endif
