// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]

// With the variable, the programs use Relay's own parser instead of yajl.
let traits: Set<Package.Dependency.Trait> = Context.environment["RELAY_WITHOUT_YAJL"] == nil ? [.defaults] : []

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..", traits: traits)],
    targets: [
        .target(name: "Measuring", swiftSettings: settings),
        // Programs that only read archives do not link URLSession, which would increase their memory use.
        .executableTarget(
            name: "Reading", dependencies: ["Measuring", .product(name: "HTTPArchive", package: "Relay")],
            swiftSettings: settings),
        .executableTarget(
            name: "Answering",
            dependencies: [
                "Measuring", .product(name: "HTTPArchive", package: "Relay"),
                .product(name: "Relay", package: "Relay"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "Recording", dependencies: ["Measuring", .product(name: "HTTPArchive", package: "Relay")],
            swiftSettings: settings),
        .executableTarget(
            name: "Recorders",
            dependencies: [
                "Measuring", .product(name: "Innernet", package: "Relay"), .product(name: "Relay", package: "Relay"),
                .product(name: "Vinyl", package: "Relay"),
            ],
            swiftSettings: settings),
        .executableTarget(name: "Decodable", swiftSettings: settings),
    ]
)
