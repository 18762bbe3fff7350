import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct UsedEntriesTests {
    @Test(arguments: [
        ([], ""), ([0], "0"), ([0, 1, 2, 3, 7], "0-3,7"), ([5, 6, 9], "5-6,9"), ([11, 3], "3,11"),
    ])
    func `used entries are written as ranges`(indices: [Int], text: String) {
        let used = UsedEntries(IndexSet(indices))
        #expect(used.text == text)
        #expect(UsedEntries(text, count: 12) == used)
    }

    @Test func `used entries with many gaps are written as a bitmap`() throws {
        let count = 1_000_000
        let used = UsedEntries(IndexSet((0..<count).filter { $0 % 3 == 0 }))
        #expect(used.text.utf8.count < 170_000)
        #expect(UsedEntries(used.text, count: count) == used)
        #expect(UsedEntries(used.text, count: count / 2) == nil)
    }

    @Test(arguments: [
        "x", "-1", "3-1", "1-", "-", "0-12", "12", "1,x", "bits:?", "0--1", "1-2-3", "99999999999999999999",
    ])
    func `invalid text is rejected`(text: String) {
        #expect(UsedEntries(text, count: 12) == nil)
    }

    @Test func `Turns records which entries were used`() {
        var turns = Turns(count: 130, repetition: .once)
        #expect(UsedEntries(of: turns, count: 130).text == "")
        for entry in [0, 63, 64, 65, 129] { turns.take(entry) }
        #expect(UsedEntries(of: turns, count: 130).text == "0,63-65,129")
    }
}
