import AsyncHTTPClient
import Foundation
import Hummingbird
import NIOCore

/// A service that returns the weather of a city in words.
public struct WeatherService: Sendable {
    private let client: HTTPClient

    /// Creates a service that calls the weather API with a client.
    public init(client: HTTPClient) { self.client = client }

    private struct Conditions: Decodable {
        let celsius: Int
        let sky: String
    }

    /// The application with all routes.
    public var application: some ApplicationProtocol {
        let router = Router()
        router.get("/weather/:city") { _, context in
            let city = try context.parameters.require("city")
            return try await text(of: city)
        }
        return Application(router: router)
    }

    private func text(of city: String) async throws -> String {
        let request = HTTPClientRequest(url: "https://api.weather.example/v1/\(city)")
        let response = try await client.execute(request, timeout: .seconds(10))
        guard response.status == .ok else { throw HTTPError(.badGateway, message: "no weather for \(city)") }
        let body = try await response.body.collect(upTo: 1 << 20)
        let conditions = try JSONDecoder().decode(Conditions.self, from: Data(body.readableBytesView))
        return "\(conditions.celsius) degrees, \(conditions.sky)"
    }
}
