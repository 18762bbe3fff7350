package import Foundation
package import HTTPArchive

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that simulates failing system calls, and a process crash or power loss during any call.
///
/// Calls take effect in the real folder. In addition, a journal separates data that is guaranteed to be on disk from
/// unflushed changes, so that any state after a power loss can be reconstructed: unflushed writes to a file can be
/// lost or incomplete, in any order, and all unflushed renames and deletions after some point can be lost.
package final class FaultyDisk: @unchecked Sendable {
    /// A kind of failure of a call.
    package enum Fault: Hashable, Sendable {
        /// The call fails with this error number and has no effect.
        case error(Int32)

        /// The call succeeds but writes only a part of the bytes.
        case shortWrite

        /// The process dies during the call. This call and all later calls have no effect.
        case death
    }

    /// The failure of a trial.
    package struct Plan: Hashable, Sendable {
        /// The number of the first call that fails, from 1.
        package var call: Int

        package var fault: Fault

        /// Whether all later calls also fail, as on a disk that stays full.
        package var persists: Bool

        /// Creates a plan.
        ///
        /// By default, only one call fails.
        package init(call: Int, fault: Fault, persists: Bool = false) {
            self.call = call
            self.fault = fault
            self.persists = persists
        }
    }

    /// The unflushed changes that survive a power loss.
    package enum Remains: Hashable, Sendable {
        case all, none

        /// A random choice.
        case some(seed: UInt64)
    }

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(size: Int)
    }

    private struct File {
        var onDisk: [UInt8] = []
        var pending: [Change] = []
    }

    /// The kinds of calls, which can fail in different ways.
    private enum Kind { case open, write, close, other }

    private let folder: URL
    private let plan: Plan?
    private let hasUnnamedFiles: Bool

    /// The number of calls so far.
    package private(set) var callCount = 0

    /// Whether the planned call was reached and can fail in the planned way.
    package private(set) var hasFailed = false

    private var isDead = false

    private var files: [File] = []
    private var numbers: [UInt64: Int] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [[String: Int?]] = []

    /// Creates a disk for an existing folder.
    ///
    /// The existing files count as flushed.
    ///
    /// - Parameters:
    ///   - folder: The folder, without subfolders.
    ///   - plan: The failure, or `nil` for none.
    ///   - hasUnnamedFiles: Whether files without a name are supported; `true` by default.
    /// - Throws: An error if the folder cannot be read.
    package init(_ folder: URL, plan: Plan?, hasUnnamedFiles: Bool = true) throws {
        self.folder = folder
        self.plan = plan
        self.hasUnnamedFiles = hasUnnamedFiles
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let path = folder.appendingPathComponent(name).path
            names[name] = files.count
            if let number = Self.inode(at: path) { numbers[number] = files.count }
            files.append(File(onDisk: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
        }
    }

    /// Writes a possible state of the folder after a power loss.
    ///
    /// - Parameters:
    ///   - remains: The unflushed changes that survive.
    ///   - target: A new folder.
    /// - Throws: An error if the folder cannot be written.
    package func writeRemains(_ remains: Remains, to target: URL) throws {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        var generator = ChoiceGenerator(remains)
        var kept = names
        let count = generator.count(upTo: pendingNames.count)
        for change in pendingNames.prefix(count) {
            for (name, file) in change { kept[name] = file }
        }
        for (name, number) in kept.sorted(by: { $0.key < $1.key }) {
            let bytes = Self.bytes(of: files[number], keeping: &generator)
            try Data(bytes).write(to: target.appendingPathComponent(name))
        }
    }

    private static func bytes(of file: File, keeping generator: inout ChoiceGenerator) -> [UInt8] {
        var bytes = file.onDisk
        for change in file.pending {
            switch change {
            case .truncate(let size): if generator.keeps() { resize(&bytes, to: size) }
            case .write(let offset, let new):
                // Disks write whole sectors.
                var start = 0
                while start < new.count {
                    let end = min(new.count, (offset + start) / 512 * 512 + 512 - offset)
                    if generator.keeps() {
                        if bytes.count < offset + end { resize(&bytes, to: offset + end) }
                        bytes.replaceSubrange(offset + start..<offset + end, with: new[start..<end])
                    }
                    start = end
                }
            }
        }
        return bytes
    }

    private static func resize(_ bytes: inout [UInt8], to size: Int) {
        if size <= bytes.count {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
    }

    // MARK: Calls

    /// The system calls, which fail according to the plan.
    package var calls: FileSystemCalls {
        let system = FileSystemCalls()
        var calls = FileSystemCalls()
        calls.open = { [self] path, flags, mode in
            if fails(.open) { return -1 }
            let isNew = flags & O_CREAT != 0 && Self.inode(at: path) == nil
            let descriptor = system.open(path, flags, mode)
            if descriptor >= 0, isNew {
                add(descriptor)
                note([Self.name(path): files.count - 1])
            }
            return descriptor
        }
        calls.openUnnamed = { [self] folder, mode in
            if !hasUnnamedFiles || fails(.open) { return -1 }
            let descriptor = system.openUnnamed(folder, mode)
            if descriptor >= 0 { add(descriptor) }
            return descriptor
        }
        calls.append = { [self] descriptor, bytes in
            write(descriptor, bytes, at: Int(lseek(descriptor, 0, SEEK_CUR))) { system.append(descriptor, $0) }
        }
        calls.write = { [self] descriptor, bytes, offset in
            write(descriptor, bytes, at: offset) { system.write(descriptor, $0, offset) }
        }
        calls.truncate = { [self] descriptor, size in
            if fails(.other) { return -1 }
            change(descriptor, .truncate(size: size))
            return system.truncate(descriptor, size)
        }
        calls.synchronize = { [self] descriptor in
            if fails(.other) { return -1 }
            flush(descriptor)
            return 0
        }
        calls.close = { [self] descriptor in
            let fails = fails(.close)
            let reason = errno
            let result = system.close(descriptor)
            errno = reason
            return fails ? -1 : result
        }
        calls.setPermissions = { [self] in fails(.other) ? -1 : system.setPermissions($0, $1) }
        calls.setOwner = { [self] in fails(.other) ? -1 : system.setOwner($0, $1, $2) }
        calls.link = { [self] path, target in
            if fails(.other) { return -1 }
            guard system.link(path, target) == 0 else { return -1 }
            if let number = number(at: target) { note([Self.name(target): number]) }
            return 0
        }
        calls.rename = { [self] path, target in
            if fails(.other) { return -1 }
            let number = number(at: path)
            guard system.rename(path, target) == 0 else { return -1 }
            note([Self.name(path): nil, Self.name(target): number])
            return 0
        }
        calls.remove = { [self] path in
            if fails(.other) { return -1 }
            guard system.remove(path) == 0 else { return -1 }
            note([Self.name(path): nil])
            return 0
        }
        return calls
    }

    /// Counts a call, and returns `true` and sets `errno` if it fails.
    private func fails(_ kind: Kind) -> Bool {
        callCount += 1
        if isDead {
            errno = EIO
            return true
        }
        guard let plan, callCount == plan.call || plan.persists && callCount > plan.call else { return false }
        switch plan.fault {
        case .death:
            isDead = true
            errno = EIO
        case .shortWrite: return false
        case .error(let number):
            // On a full disk, closing a file, or a change that needs no space, does not fail.
            if number == ENOSPC, kind == .other || kind == .close { return false }
            errno = number
        }
        hasFailed = true
        return true
    }

    private func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int,
        _ call: (UnsafeRawBufferPointer) -> Int
    ) -> Int {
        let isDeath = !isDead && plan?.fault == .death && callCount + 1 == plan?.call
        if fails(.write) {
            if isDeath {
                // The process can die after writing a part of the bytes.
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
                change(descriptor, .write(offset: offset, bytes: Array(part)))
                _ = call(part)
                errno = EIO
            }
            return -1
        }
        var part = bytes
        if plan?.fault == .shortWrite, let plan, callCount >= plan.call, callCount == plan.call || plan.persists {
            part = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, bytes.count / 2)))
            hasFailed = true
        }
        change(descriptor, .write(offset: offset, bytes: Array(part)))
        return call(part)
    }

    // MARK: Journal

    private func add(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        numbers[UInt64(status.st_ino)] = files.count
        files.append(File())
    }

    private func change(_ descriptor: Int32, _ change: Change) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let number = numbers[UInt64(status.st_ino)] else { return }
        files[number].pending.append(change)
    }

    private func note(_ change: [String: Int?]) { pendingNames.append(change) }

    /// Flushes a file, or the names in the folder.
    private func flush(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for change in pendingNames {
                for (name, file) in change { names[name] = file }
            }
            pendingNames = []
        } else if let number = numbers[UInt64(status.st_ino)] {
            var generator = ChoiceGenerator(.all)
            files[number] = File(onDisk: Self.bytes(of: files[number], keeping: &generator))
        }
    }

    private func number(at path: String) -> Int? { Self.inode(at: path).flatMap { numbers[$0] } }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private static func inode(at path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}

/// Chooses the changes that survive a power loss.
private struct ChoiceGenerator {
    private let remains: FaultyDisk.Remains
    private var state: UInt64 = 0

    init(_ remains: FaultyDisk.Remains) {
        self.remains = remains
        if case .some(let seed) = remains { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    }

    mutating func keeps() -> Bool { count(upTo: 1) == 1 }

    mutating func count(upTo maximum: Int) -> Int {
        switch remains {
        case .all: return maximum
        case .none: return 0
        case .some:
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(maximum + 1))
        }
    }
}
