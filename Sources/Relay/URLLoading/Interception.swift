/// An interceptor with the sessions whose requests it is to take.
struct Interception: Sendable {
    let interceptor: Interceptor
    let coverage: Interceptor.Coverage
}
