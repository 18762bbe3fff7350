/// Yields until a condition holds or a time limit has passed.
func wait(until isReached: () -> Bool) async throws {
    while !isReached() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
