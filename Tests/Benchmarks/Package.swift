// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .executableTarget(
            name: "Ours",
            dependencies: [.product(name: "HTTPArchive", package: "Relay"), .product(name: "Relay", package: "Relay")],
            swiftSettings: settings),
        .executableTarget(name: "Decodable", swiftSettings: settings),
    ]
)
