extension HARArchive {
    /// Whether the file is surely what it was when it was opened, by its size and time.
    ///
    /// It is not sure of what is no file, nor of one that was changed just before it was opened, for its time would not tell
    /// the next change.
    package var isUnchanged: Bool {
        guard let stamp, stamp.isSettled(at: opened) else { return false }
        return (try? InputFile(url: url, waitsForWriter: false))?.stamp == stamp
    }
}
