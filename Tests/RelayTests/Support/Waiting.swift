/// Lets others go on until something holds, or the test has taken too long.
func wait(until isReached: () -> Bool) async throws {
    while !isReached() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
