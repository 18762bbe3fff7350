package import Foundation

extension BodyReference {
    /// Returns the corresponding reference in the redacted entry.
    ///
    /// - Parameter entry: The redacted version of the entry that contains this reference.
    /// - Returns: The reference, with a different name if the current name contains a secret.
    package func redacted(in entry: HAR.Entry) -> BodyReference {
        Self.references(of: entry).first { $0.pointer == pointer } ?? self
    }

    /// Returns the name of the file after its content has changed.
    ///
    /// - Parameters:
    ///   - new: The new content.
    ///   - old: The old content.
    /// - Returns: The name, with each digest of the old content replaced by the corresponding digest of the new
    ///   content.
    package func name(for new: Data, inPlaceOf old: Data) -> String {
        if new == old { return name }
        return zip(Redaction.digests(of: old), Redaction.digests(of: new)).reduce(name) { name, digests in
            name.replacing(digests.0, with: digests.1)
        }
    }

    /// Returns a name based on the SHA-1 digest of the content, for use when another file already has this name.
    ///
    /// - Parameter data: The content.
    /// - Returns: The new name, with the folder and extension of the current name.
    package func name(for data: Data) -> String {
        var steps = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let suffix = steps[steps.count - 1].split(separator: ".").dropFirst().last.map { "." + $0 } ?? ""
        steps[steps.count - 1] = Self.hash(of: data) + suffix
        return steps.joined(separator: "/")
    }

    private static func hash(of data: Data) -> String { Hexadecimal.text(HashAlgorithm.sha1.hash(of: data)) }
}
