import Relay
import Testing

@Suite(.limited) struct TestNameTests {
    @Test(
        arguments: [
            (["loadsItems()"], "loadsItems"),
            (["ShopTests", "loads(item:count:)"], "ShopTests/loads"),
            (["`the shop (in town) has apples, and/or pears`(user:)"], "the-shop-in-town-has-apples-and-or-pears"),
            (["`Shop tests`", "Inner", "snake_case()"], "Shop-tests/Inner/snake_case"),
            (["`Äpfel: 3 €`()"], "Äpfel-3"),
        ])
    func `the name of an archive is derived from the test`(parts: [String], name: String) {
        #expect(TestName.archiveName(of: parts) == name)
    }
}
