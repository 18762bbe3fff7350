import Foundation
import HTTPArchive

extension BodyReference {
    /// Returns the corresponding reference in the redacted entry.
    ///
    /// - Parameter entry: The redacted version of the entry that contains this reference.
    /// - Returns: The reference, with a different name if the current name contains a secret.
    func redacted(in entry: HAR.Entry) -> BodyReference {
        Self.references(of: entry).first { $0.pointer == pointer } ?? self
    }

    /// Returns the name of the file after its content has changed.
    ///
    /// - Parameters:
    ///   - new: The new content.
    ///   - old: The old content.
    /// - Returns: The name, with each digest of the old content replaced by the corresponding digest of the new
    ///   content.
    func name(for new: Data, inPlaceOf old: Data) -> String {
        if new == old { return name }
        return zip(HashAlgorithm.digests(of: old), HashAlgorithm.digests(of: new)).reduce(name) { name, digests in
            name.replacing(digests.0, with: digests.1)
        }
    }

    /// Returns a name based on the SHA-1 digest of the content, for use when another file already has this name.
    ///
    /// - Parameter data: The content.
    /// - Returns: The new name, with the folder and extension of the current name, and without hyphens at the start of the
    ///   names of folders.
    func name(for data: Data) -> String {
        var steps = name.split(separator: "/", omittingEmptySubsequences: false).map {
            $0.hasPrefix("-") ? "_" + $0.dropFirst() : String($0)
        }
        let suffix = steps[steps.count - 1].split(separator: ".").dropFirst().last.map { "." + $0 } ?? ""
        steps[steps.count - 1] = Hexadecimal.text(HashAlgorithm.sha1.hash(of: data)) + suffix
        return steps.joined(separator: "/")
    }
}

extension HAR.Entry {
    /// Returns the entry with a new file name for a body.
    ///
    /// - Parameters:
    ///   - reference: The reference to change.
    ///   - name: The new name.
    /// - Returns: The entry with the new name.
    func renaming(_ reference: BodyReference, to name: String) -> HAR.Entry {
        guard name != reference.name, reference.pointer.components.count == 3 else { return self }
        let path = reference.pointer.components
        guard var message = self[path[0]]?.object, var body = message[path[1]]?.object else { return self }
        body[path[2]] = .string(JSONString(name))
        message[path[1]] = .object(body)
        var entry = self
        entry[path[0]] = .object(message)
        return entry
    }
}
