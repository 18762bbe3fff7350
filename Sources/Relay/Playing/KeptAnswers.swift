/// Answers that were made of entries, for when it is their turn again.
///
/// Once the answers that are kept are too large together, they are forgotten.
struct KeptAnswers: Sendable {
    /// The size up to which an answer is kept, in bytes.
    private let answerLimit: Int

    /// The size of all that are kept, in bytes.
    private let limit: Int

    private var answers: [Int: (answer: KnownResponse, conditions: Conditions?)] = [:]
    private var size = 0

    /// Keeps nothing yet.
    ///
    /// - Parameters:
    ///   - answerLimit: The size up to which an answer is kept, in bytes.
    ///   - limit: The size of all that are kept, in bytes.
    init(answerLimit: Int = 1 << 16, limit: Int = 1 << 23) {
        self.answerLimit = answerLimit
        self.limit = limit
    }

    /// The answer of an entry, with the URL that it was first given for.
    subscript(entry: Int) -> KnownResponse? { answers[entry]?.answer }

    /// The conditions under which the answer of an entry was recorded.
    func conditions(of entry: Int) -> Conditions? { answers[entry]?.conditions }

    /// Keeps the answer of an entry, unless it is large.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - entry: The entry.
    ///   - conditions: The conditions under which it was recorded; none unless given.
    mutating func keep(
        _ answer: InterceptedResponse, of entry: Int, recordedUnder conditions: Conditions? = nil
    ) {
        let size = Self.size(of: answer)
        guard size <= answerLimit, answers[entry] == nil else { return }
        if self.size + size > limit {
            answers = [:]
            self.size = 0
        }
        answers[entry] = (KnownResponse(answer), conditions)
        self.size += size
    }

    /// About what an answer takes in memory, in bytes.
    private static func size(of answer: InterceptedResponse) -> Int {
        answer.headers.reduce(300 + answer.url.utf8.count + answer.body.count) {
            $0 + 32 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}
