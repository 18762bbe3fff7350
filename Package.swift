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
        .library(name: "RelayCore", targets: ["RelayCore"]),
        .library(name: "RelayURLSession", targets: ["RelayURLSession"]),
        .library(name: "RelayTesting", targets: ["RelayTesting"]),
        .library(name: "Vinyl", targets: ["Vinyl"]),
        .library(name: "Innernet", targets: ["Innernet"]),
        .library(name: "ResonanceKit", targets: ["ResonanceKit"]),
        .executable(name: "har", targets: ["har"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CJSONScan"),
        .target(name: "CPlatform"),
        .target(name: "CProcessStart"),
        .target(
            name: "HTTPArchive",
            dependencies: [
                "CJSONScan", "CPlatform", "CYajl", "CZlib",
                // Apple platforms have CryptoKit.
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))]),
        .target(name: "RecordingFormats", dependencies: ["HTTPArchive"], swiftSettings: settings),
        .target(
            name: "RelayCore",
            dependencies: [
                "HTTPArchive", "RecordingFormats", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        // HTTPArchive has the lock that the thread sanitizer can track; nothing else of it is used.
        .target(name: "FoundationInternals", dependencies: ["CPlatform", "HTTPArchive"], swiftSettings: settings),
        .target(
            name: "RelayURLSession",
            dependencies: ["CProcessStart", "FoundationInternals", "HTTPArchive", "RelayCore"],
            swiftSettings: settings),
        .target(
            name: "Relay",
            dependencies: ["HTTPArchive", "RecordingFormats", "RelayCore", "RelayURLSession"],
            swiftSettings: settings),
        .target(name: "RelayTesting", dependencies: ["HTTPArchive", "Relay"], swiftSettings: settings),
        .target(
            name: "Vinyl", dependencies: ["HTTPArchive", "RecordingFormats", "Relay", "RelayTesting"],
            swiftSettings: settings),
        .target(name: "Innernet", dependencies: ["HTTPArchive", "Relay"], swiftSettings: settings),
        .target(
            name: "ResonanceKit", dependencies: ["HTTPArchive", "RecordingFormats", "Relay"], swiftSettings: settings),
        .executableTarget(
            name: "har",
            dependencies: [
                "HTTPArchive", "RecordingFormats", "Relay", "RelayURLSession", "Yams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // A program whose tests run it with settings of the environment.
        .executableTarget(name: "UnhandledRequests", dependencies: ["Relay"], path: "Tests/UnhandledRequests"),
        // The places of an archive, and secrets for them.
        .target(
            name: "PlantedSecrets", dependencies: ["CPlatform", "CZlib", "HTTPArchive"], path: "Tests/PlantedSecrets",
            swiftSettings: settings),
        // A folder whose system calls fail, for tests of everything that writes files.
        .target(
            name: "FaultyDisk", dependencies: ["HTTPArchive"], path: "Tests/FaultyDisk", swiftSettings: settings),
        // Prints what redaction finds in planted secrets, for `Tests/Redaction/table`.
        .executableTarget(
            name: "RedactionTable", dependencies: ["HTTPArchive", "PlantedSecrets"], path: "Tests/Redaction",
            exclude: ["table"], swiftSettings: settings),
        // The same for the capabilities of the platform.
        .executableTarget(
            name: "MissingCapabilities",
            dependencies: ["Innernet", "Relay", .product(name: "Logging", package: "swift-log")],
            path: "Tests/MissingCapabilities"),
        .testTarget(
            name: "HTTPArchiveTests",
            dependencies: [
                "CJSONScan", "CPlatform", "FaultyDisk", "HTTPArchive", "PlantedSecrets",
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings),
        // The examples are compiled as a newcomer's code is: with no setting but the language's own.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["HTTPArchive", "Innernet", "Relay", "RelayTesting", "Vinyl"],
            exclude: ["Examples/Recordings"]),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "FaultyDisk", "FoundationInternals", "HTTPArchive", "MissingCapabilities", "PlantedSecrets", "Relay",
                "RelayCore", "RelayURLSession", "UnhandledRequests",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RelayTestingTests",
            dependencies: ["HTTPArchive", "Relay", "RelayTesting"],
            exclude: ["shop.har", "Recordings", "ReplayTraitTests", "ReplayingCase"],
            swiftSettings: settings),
        .testTarget(
            name: "HarTests",
            dependencies: [
                "FaultyDisk", "har", "HTTPArchive", "PlantedSecrets", "RecordingFormats", "Relay",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Converting/shop-items.har"], swiftSettings: settings),
        .testTarget(
            name: "RecordingFormatsTests", dependencies: ["RecordingFormats", "HTTPArchive"],
            exclude: ["Recordings", "flows"], swiftSettings: settings),
        .testTarget(name: "RecordAndReplayTests", dependencies: ["Relay", "HTTPArchive"], swiftSettings: settings),
        .testTarget(
            name: "VinylTests", dependencies: ["Vinyl", "Relay", "HTTPArchive"], resources: [.process("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "InnernetTests", dependencies: ["Innernet", "Relay", "HTTPArchive"], swiftSettings: settings),
        .testTarget(
            name: "ResonanceKitTests", dependencies: ["ResonanceKit", "Relay", "HTTPArchive"], swiftSettings: settings),
    ]
)
