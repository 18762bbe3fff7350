/// Yields until a condition holds, and throws an error if the task is canceled.
func wait(until isReached: () -> Bool) async throws {
    while !isReached() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
