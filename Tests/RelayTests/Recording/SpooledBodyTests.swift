import Foundation
import HTTPArchive
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

import Relay
@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct SpooledBodyTests {
    /// Returns bytes whose values depend on their offsets.
    private func bytes(_ count: Int, from start: Int = 0) -> Data {
        Data((start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    }

    private func body(_ data: Data, in pieces: Int) throws -> SpooledBody {
        var body = SpooledBody()
        var rest = data
        while !rest.isEmpty {
            try body.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return body
    }

    @Test(arguments: [0, 1, SpooledBody.memoryLimit, SpooledBody.memoryLimit + 1, 3 << 20])
    func `appended bytes are read back from memory or from a file`(count: Int) throws {
        let data = bytes(count)
        let body = try body(data, in: 100_001)
        #expect(body.count == count)
        #expect(body.data == data)
        var collected = Data()
        try body.forEachPiece { piece, place throws(HARError) in
            #expect(place == collected.count)
            #expect(piece.count <= SpooledBody.chunkSize)
            collected += piece
        }
        #expect(collected == data)
    }

    @Test(arguments: [1_000, 2 << 20])
    func `appending to a copy does not change the original`(count: Int) throws {
        let data = bytes(count)
        var first = try body(data, in: 65_536)
        var second = first
        var third = first
        try first.append(Data("first".utf8))
        try second.append(Data("second".utf8))
        try first.append(Data(" more".utf8))
        #expect(first.data == data + Data("first more".utf8))
        #expect(second.data == data + Data("second".utf8))
        #expect(third.data == data)
        try third.append(bytes(2 << 20))
        #expect(third.data == data + bytes(2 << 20))
    }

    @Test func `the data of a body outlives the body and does not change when the body grows`() throws {
        var body: SpooledBody? = try body(bytes(2 << 20), in: 1 << 20)
        let data = try #require(body?.data)
        try body?.append(bytes(4 << 20))
        body = nil
        #expect(data == bytes(2 << 20))
        #expect(data.dropFirst(1 << 20).prefix(9) == bytes(9, from: 1 << 20))
    }

    @Test func `bytes can be appended to a body that was created from data`() throws {
        var body = SpooledBody(bytes(SpooledBody.memoryLimit))
        try body.append(bytes(10))
        #expect(body.data == bytes(SpooledBody.memoryLimit) + bytes(10))
    }

    @Test func `bodies that share a file keep their bytes, and can be appended to`() throws {
        let sizes = [1, 4_095, 4_096, 100_000, 7]
        var bodies = try sizes.enumerated().map { try body(bytes($1, from: $0 * 1_000), in: 10_000) }
        for index in bodies.indices {
            bodies[index].moveToFile()
            #expect(bodies[index].memorySize == 0)
        }
        for (index, size) in sizes.enumerated() { #expect(bodies[index].data == bytes(size, from: index * 1_000)) }
        for index in bodies.indices { try bodies[index].append(bytes(10)) }
        for (index, size) in sizes.enumerated() {
            #expect(bodies[index].data == bytes(size, from: index * 1_000) + bytes(10))
            var collected = Data()
            try bodies[index].forEachPiece { piece, _ throws(HARError) in collected += piece }
            #expect(collected == bodies[index].data)
        }
    }

    @Test func `bodies that share a file while they grow keep their bytes, and leave it when they are large`() throws {
        let spool = SharedSpool()
        var bodies = [SpooledBody](repeating: SpooledBody(), count: 50)
        let chunk = 50_001
        for round in 0..<6 {
            for index in bodies.indices {
                let start = index * 1_000_000 + round * chunk
                try bodies[index].append(bytes(chunk, from: start), inMemoryUpTo: 1 << 14, sharing: spool)
                #expect(bodies[index].memorySize == 0)
            }
        }
        let large = bytes(SharedSpool.partSize, from: 7)
        try bodies[3].append(large, inMemoryUpTo: 1 << 14, sharing: spool)
        for (index, body) in bodies.enumerated() {
            #expect(body.data == bytes(6 * chunk, from: index * 1_000_000) + (index == 3 ? large : Data()))
        }
        // A copy that grows leaves the bytes of the other one unchanged.
        var copy = bodies[4]
        try copy.append(bytes(10), inMemoryUpTo: 1 << 14, sharing: spool)
        try bodies[4].append(bytes(20), inMemoryUpTo: 1 << 14, sharing: spool)
        #expect(copy.data.suffix(10) == bytes(10) && bodies[4].data.suffix(20) == bytes(20))
        #expect(copy.data.prefix(6 * chunk) == bodies[4].data.prefix(6 * chunk))
    }

    #if os(Linux)
        @Test func `many bodies need few files`() throws {
            let opened = Mutex(0)
            var calls = FileSystemCalls()
            calls.openUnnamed = { [openUnnamed = calls.openUnnamed] folder, mode in
                opened.withLock { $0 += 1 }
                return openUnnamed(folder, mode)
            }
            try FileSystemCalls.$current.withValue(calls) {
                let spool = SharedSpool()
                var bodies = [SpooledBody](repeating: SpooledBody(), count: 100)
                for index in bodies.indices {
                    try bodies[index].append(bytes(1_000), inMemoryUpTo: 100, sharing: spool)
                }
                #expect(opened.withLock { $0 } == 4)
            }
        }
    #endif

    @Test func `the error for a missing folder mentions TMPDIR`() throws {
        let folder = URL(fileURLWithPath: "/relay-no-such-folder")
        let error = #expect(throws: HARError.self) { try SpoolFile(in: folder) }
        #expect(error?.code == .unwritableFile)
        #expect(error?.message.contains("TMPDIR") == true)
    }

    @Test func `reading past the end of a file and writing anywhere but at its end are rejected`() throws {
        let file = try SpoolFile()
        #expect(try file.append(bytes(100), at: 0))
        #expect(throws: HARError.self) { try file.read(101, at: 0) }
        #expect(try !file.append(bytes(1), at: 99))
        #expect(try file.read(100, at: 0) == bytes(100))
    }

    #if os(Linux)
        @Test func `appending to a file on a full disk fails`() throws {
            let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
            let file = SpoolFile(descriptor: dup(full.fileDescriptor))
            let error = #expect(throws: HARError.self) { try file.append(bytes(10), at: 0) }
            #expect(error?.code == .unwritableFile)
            // The failed write did not change the end offset.
            #expect(throws: HARError.self) { try file.append(bytes(10), at: 0) }
        }
    #endif
}
