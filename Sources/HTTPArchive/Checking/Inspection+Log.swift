/// The rules for what stands outside the entries.
extension Inspection {
    /// Checks that the version of the log is one that exists.
    mutating func checkVersion() {
        guard let version = root.text, version != "1.2" else { return }
        if version == "1.1" || version.isEmpty {
            let state = version.isEmpty ? "empty, which means 1.1" : "1.1"
            report(.note, .oldVersion, at: root, "`version` is \(state); the current version of HAR is 1.2.")
        } else {
            report(.warning, .unknownVersion, at: root, "`version` is \(version.quoted); there are HAR 1.1 and 1.2.")
        }
    }

    /// Checks a `log` beside the one that is read.
    mutating func checkLog() {
        guard root.kind != .object else { return }
        report(.error, .wrongType, at: root, "`log` is \(root.kind.title); HAR 1.2 wants an object.")
    }

    /// Checks a field that stands beside `log`.
    mutating func checkUnknownDocumentField(_ name: String) {
        guard !name.hasPrefix("_") else { return }
        report(.note, .unknownField, at: root, "\(name.quoted) stands beside `log`, where HAR 1.2 has nothing.")
    }
}
