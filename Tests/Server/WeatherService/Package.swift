// swift-tools-version:6.2
import PackageDescription

// A Hummingbird service that calls an API with AsyncHTTPClient, and its tests with recorded responses.
let package = Package(
    name: "WeatherService",
    platforms: [.macOS("15.0")],
    dependencies: [
        .package(name: "relay", path: "../../..", traits: ["AsyncHTTPClient"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
    ],
    targets: [
        .target(
            name: "WeatherService",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .testTarget(
            name: "WeatherServiceTests",
            dependencies: [
                "WeatherService",
                .product(name: "HTTPArchive", package: "relay"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "RelayAsyncHTTPClient", package: "relay"),
                .product(name: "RelayCore", package: "relay"),
            ],
            resources: [.copy("weather.har")]),
    ]
)
