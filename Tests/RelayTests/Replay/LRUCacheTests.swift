import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct LRUCacheTests {
    @Test func `a value is found by its key`() {
        var kept = LRUCache<String, Int>(limit: 10)
        kept.keep(1, size: 4, of: "a")
        kept.keep(2, size: 6, of: "b")
        #expect(kept.value(of: "a") == 1)
        #expect(kept.value(of: "b") == 2)
        #expect(kept.value(of: "c") == nil)
        #expect(kept.size == 10)
    }

    @Test func `the least recently used values are evicted, and no more than necessary`() {
        var kept = LRUCache<Int, Int>(limit: 10)
        for key in 0..<10 { kept.keep(key, size: 1, of: key) }
        #expect(kept.value(of: 0) == 0)
        kept.keep(10, size: 3, of: 10)
        #expect(
            (0...10).map { kept.value(of: $0) != nil } == [true, false, false, false] + Array(repeating: true, count: 7)
        )
        #expect(kept.size == 10)
    }

    @Test func `a value larger than the limit is not stored, and only removes the previous value of its key`() {
        var kept = LRUCache<Int, Int>(limit: 10)
        kept.keep(0, size: 5, of: 0)
        kept.keep(1, size: 5, of: 1)
        kept.keep(2, size: 11, of: 1)
        #expect(kept.value(of: 0) == 0)
        #expect(kept.value(of: 1) == nil)
        #expect(kept.size == 5)
    }

    @Test func `a value that is replaced or removed no longer counts toward the size`() {
        var kept = LRUCache<Int, Int>(limit: 10)
        kept.keep(0, size: 9, of: 0)
        kept.keep(1, size: 2, of: 0)
        #expect(kept.size == 2)
        kept.keep(nil, size: 5, of: 0)
        kept.keep(nil, size: 5, of: 0)
        #expect(kept.size == 0)
        kept.keep(2, size: 0, of: 2)
        #expect(kept.value(of: 2) == 2)
    }

    @Test(arguments: 0..<20)
    func `the cache has the same contents as a reference list in order of use`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed), number: 0)
        var kept = LRUCache<Int, Int>(limit: 50)
        var list: [(key: Int, value: Int, size: Int)] = []
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<30, using: &generator)
            let place = list.firstIndex { $0.key == key }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                kept.keep(nil, size: 0, of: key)
                place.map { _ = list.remove(at: $0) }
            case 1..<5:
                let size = Int.random(in: 0...60, using: &generator)
                kept.keep(step, size: size, of: key)
                place.map { _ = list.remove(at: $0) }
                if size <= 50 { list.append((key, step, size)) }
                while list.reduce(0, { $0 + $1.size }) > 50 { list.removeFirst() }
            default:
                #expect(kept.value(of: key) == place.map { list[$0].value })
                place.map { list.append(list.remove(at: $0)) }
            }
            #expect(kept.size == list.reduce(0) { $0 + $1.size })
        }
    }
}
