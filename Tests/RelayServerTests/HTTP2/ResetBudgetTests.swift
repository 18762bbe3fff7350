#if Server
    import NIOCore
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct ResetBudgetTests {
        /// Returns how many of the resets at the same time are within a budget.
        private func allowed(_ count: Int, by budget: inout ResetBudget, at seconds: Int64) -> Int {
            (0..<count).map { _ in budget.spend(at: .uptimeNanoseconds(5) + .seconds(seconds)) }.count { $0 }
        }

        @Test(arguments: [1, 3, 200]) func `a budget is spent and restored`(count: Int) {
            var budget = ResetBudget(count)
            #expect(allowed(count + 1, by: &budget, at: 0) == count)
            #expect(allowed(count + 1, by: &budget, at: 60) == count)
        }

        @Test func `a part of the budget is restored earlier`() {
            var budget = ResetBudget(10)
            #expect(allowed(10, by: &budget, at: 0) == 10)
            // Two seconds restore one reset.
            #expect(allowed(1, by: &budget, at: 2) == 1)
            #expect(allowed(1, by: &budget, at: 3) == 0)
        }

        @Test func `resets at a lower rate are not limited`() {
            var budget = ResetBudget(20)
            for second in 0..<1000 { #expect(allowed(1, by: &budget, at: Int64(second)) == 1) }
        }
    }
#endif
