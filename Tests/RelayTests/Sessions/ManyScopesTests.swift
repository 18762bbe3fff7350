import Foundation
import HTTPArchive
import Relay
import TestSupport
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many concurrent interceptors with different entries, in every kind of session and call.
@Suite(.limited) struct ManyScopesTests {
    /// Sessions of one kind, with and without a delegate.
    private struct Sessions {
        let delegate = AnsweringDelegate()
        let plain: URLSession
        let delegating: URLSession

        init(_ make: (AnsweringDelegate?) -> URLSession) {
            plain = make(nil)
            delegating = make(delegate)
        }

        init(_ configuration: URLSessionConfiguration) {
            self.init { URLSession(configuration: configuration, delegate: $0, delegateQueue: nil) }
        }

        /// Requests a URL with an awaited call, a completion handler or a delegate, and returns the body.
        func text(_ url: String, way: Int) async throws -> String {
            switch way % 3 {
            case 0: try await plain.text(url)
            case 1: await plain.text(url) { $0() }
            default: try await delegate.text(url, from: delegating)
            }
        }
    }

    private static let pathCount = 10
    private static let turnCount = 10
    private static let interceptorCount = Cases.count(25, orAll: 100)

    private static func url(_ path: Int) -> String { "https://example.invalid/\(path)" }

    /// Creates an interceptor that has several responses for each path, in order.
    private static func interceptor(_ index: Int) -> Interceptor {
        Interceptor(
            entries: (0..<turnCount).flatMap { turn in
                (0..<pathCount).map { .entry("GET", url($0), text: "\(index) \($0) \(turn)") }
            })
    }

    /// Requests all responses of an interceptor in all sessions and returns the number of correct responses.
    private static func rightAnswers(of index: Int, paths: Range<Int>, from sessions: [Sessions]) async throws -> Int {
        var count = 0
        for path in paths {
            for turn in 0..<turnCount {
                let way = index + path + turn
                let text = try await sessions[way % sessions.count].text(url(path), way: way / sessions.count)
                if text == "\(index) \(path) \(turn)" { count += 1 }
            }
        }
        return count
    }

    @Test func `thousands of requests receive the correct responses in order`() async throws {
        let shared = Sessions {
            $0 == nil ? .shared : URLSession(configuration: .ephemeral, delegate: $0, delegateQueue: nil)
        }
        let before = [Sessions(.default), Sessions(.ephemeral), shared]
        // While another interceptor is active, interceptions do not affect other tests of this process.
        let right = try await Interceptor.saying("other").interceptEverySession {
            try await Task.detached { try await Self.rightAnswers(from: before) }.value
        }
        #expect(right == Self.interceptorCount * Self.pathCount * Self.turnCount)
    }

    private static func rightAnswers(from before: [Sessions]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<interceptorCount {
                group.addTask {
                    let interceptor = Self.interceptor(index)
                    let own = Sessions { interceptor.session(delegate: $0) }
                    let sessions = before + [Sessions(.default), own]
                    guard index.isMultiple(of: 2) else {
                        // An interception begun by a task does not apply to its child tasks.
                        let interception = try interceptor.beginInterceptingEverySession()
                        defer { interception.end() }
                        return try await Self.rightAnswers(of: index, paths: 0..<Self.pathCount, from: sessions)
                    }
                    return try await interceptor.interceptEverySession {
                        async let first = Self.rightAnswers(of: index, paths: 0..<Self.pathCount / 2, from: sessions)
                        return try await Self.rightAnswers(
                            of: index, paths: Self.pathCount / 2..<Self.pathCount, from: sessions) + first
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
