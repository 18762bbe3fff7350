import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Exchange {
    /// Delivers a response at its pace, up to where it is cut off.
    func deliver(_ head: HTTPURLResponse, body: Data, as reply: Reply) async {
        guard await sleep(reply.pace.delay) else { return }
        emit(.head(head))
        let end = min(reply.cutOff ?? .max, body.count)
        for (wait, piece) in reply.pace.pieces(of: body.count, isDivided: bodyTaking == .inPieces) {
            guard piece.lowerBound < end else { break }
            guard await sleep(wait) else { return }
            emit(.data(body.dropFirst(piece.lowerBound).prefix(min(piece.upperBound, end) - piece.lowerBound)))
        }
        guard end < body.count else { return conclude(reply.breakOff.map { .failure($0) } ?? .end) }
        conclude(.failure(URLError(.networkConnectionLost, "The connection was lost after \(end) bytes.")))
    }
}
