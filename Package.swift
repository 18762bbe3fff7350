// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Relay",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "HTTPArchive", targets: ["HTTPArchive"]),
        .library(name: "Relay", targets: ["Relay"]),
        .library(name: "RelayTesting", targets: ["RelayTesting"]),
        .executable(name: "har", targets: ["har"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .target(name: "CStructure"),
        .target(
            name: "HTTPArchive",
            dependencies: ["CStructure", "CYajl", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))]),
        .target(
            name: "Relay",
            dependencies: [
                "CStructure", "HTTPArchive", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(name: "RelayTesting", dependencies: ["HTTPArchive", "Relay"], swiftSettings: settings),
        .executableTarget(
            name: "har",
            dependencies: [
                "HTTPArchive", "Relay",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(name: "HTTPArchiveTests", dependencies: ["HTTPArchive", "CStructure"], swiftSettings: settings),
        // The examples are compiled as a newcomer's code is: with no setting but the language's own.
        .testTarget(
            name: "DocumentationTests", dependencies: ["Relay", "RelayTesting", "HTTPArchive"],
            exclude: ["Examples/Recordings"]),
        .testTarget(
            name: "RelayTests",
            dependencies: ["Relay", "HTTPArchive", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        .testTarget(
            name: "RelayTestingTests",
            dependencies: ["HTTPArchive", "Relay", "RelayTesting"],
            exclude: ["shop.har", "Recordings", "ReplayTraitTests", "ReplayingCase"],
            swiftSettings: settings),
        .testTarget(name: "HarTests", dependencies: ["har", "HTTPArchive"], swiftSettings: settings),
    ]
)
