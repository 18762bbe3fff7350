// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// yajl is used where a system library can be linked. Elsewhere, and without the trait, the parser of CJSONScan is used.
let yajlPlatforms: [Platform] = [.linux, .macOS]

let package = Package(
    name: "Relay",
    // Not yet compiled on these platforms. The versions are the first ones with the module Synchronization.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "HTTPArchive", targets: ["HTTPArchive"]),
        .library(name: "ArchiveChecking", targets: ["ArchiveChecking"]),
        .library(name: "ArchiveShapes", targets: ["ArchiveShapes"]),
        .library(name: "CompressedArchives", targets: ["CompressedArchives"]),
        .library(name: "Relay", targets: ["Relay"]),
        .library(name: "RelayCore", targets: ["RelayCore"]),
        .library(name: "RelayLogging", targets: ["RelayLogging"]),
        .library(name: "RelayURLSession", targets: ["RelayURLSession"]),
        .library(name: "RelayServer", targets: ["RelayServer"]),
        .library(name: "RelayAsyncHTTPClient", targets: ["RelayAsyncHTTPClient"]),
        .library(name: "RelayTesting", targets: ["RelayTesting"]),
        .library(name: "Vinyl", targets: ["Vinyl"]),
        .library(name: "Innernet", targets: ["Innernet"]),
        .library(name: "ResonanceKit", targets: ["ResonanceKit"]),
        .executable(name: "har", targets: ["har"]),
        .executable(name: "har-serve", targets: ["har-serve"]),
        .plugin(name: "HarPlugin", targets: ["HarPlugin"]),
    ],
    traits: [
        .default(enabledTraits: ["SystemYajl"]),
        .trait(
            name: "SystemYajl",
            description: "Parse JSON with the system's libyajl. Without this trait, Relay's own parser is used."),
        .trait(
            name: "Server",
            description: "Build RelayServer and har-serve, which need SwiftNIO. Without this trait, they are empty."),
        .trait(
            name: "Verifying",
            description: "Let tests compare recorded responses with those of the servers. Without this trait, "
                + "RelayTesting compiles no code for it."),
        .trait(
            name: "AsyncHTTPClient",
            description: "Build RelayAsyncHTTPClient, which needs AsyncHTTPClient. Without this trait, it is empty.",
            enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // SwiftPM fetches these packages only if their trait is enabled.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
        .target(name: "CJSONScan"),
        // Without the trait SystemYajl, this module is empty.
        .target(
            name: "CYajlTokens",
            dependencies: [
                "CJSONScan", .target(name: "CYajl", condition: .when(platforms: yajlPlatforms, traits: ["SystemYajl"])),
            ],
            cSettings: [.define("SYSTEM_YAJL", .when(platforms: yajlPlatforms, traits: ["SystemYajl"]))],
            linkerSettings: [.linkedLibrary("yajl", .when(platforms: yajlPlatforms, traits: ["SystemYajl"]))]),
        .target(name: "CPlatform"),
        .target(name: "CProcessStart"),
        .target(
            name: "HTTPArchive",
            dependencies: [
                "CJSONScan", "CPlatform", "CYajlTokens", "CZlib",
                // Apple platforms use CryptoKit instead.
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings + [
                .define("SYSTEM_YAJL", .when(platforms: yajlPlatforms, traits: ["SystemYajl"]))
            ],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))]),
        .target(
            name: "CompressedArchives", dependencies: ["CArchive", "CBrotli", "CLzma", "HTTPArchive"],
            swiftSettings: settings),
        .target(name: "ArchiveChecking", dependencies: ["HTTPArchive"], swiftSettings: settings),
        .target(name: "ArchiveRepair", dependencies: ["ArchiveChecking", "HTTPArchive"], swiftSettings: settings),
        .target(name: "RecordingFormats", dependencies: ["HTTPArchive"], swiftSettings: settings),
        .target(name: "ImportFormats", dependencies: ["HTTPArchive", "RecordingFormats"], swiftSettings: settings),
        .target(name: "RelayCore", dependencies: ["HTTPArchive"], swiftSettings: settings),
        .target(
            name: "RelayLogging", dependencies: ["RelayCore", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        // FoundationInternals uses HTTPArchive only for the lock that Thread Sanitizer can track.
        .target(name: "FoundationInternals", dependencies: ["CPlatform", "HTTPArchive"], swiftSettings: settings),
        .target(
            name: "RelayURLSession",
            dependencies: ["CProcessStart", "FoundationInternals", "HTTPArchive", "RelayCore"],
            swiftSettings: settings),
        .target(
            name: "Relay",
            dependencies: ["HTTPArchive", "RecordingFormats", "RelayCore", "RelayURLSession"],
            swiftSettings: settings),
        .target(
            name: "RelayTesting",
            dependencies: [
                "HTTPArchive", "Relay", .target(name: "ArchiveShapes", condition: .when(traits: ["Verifying"])),
                .target(name: "RelayServer", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: settings),
        .target(
            name: "Vinyl", dependencies: ["HTTPArchive", "RecordingFormats", "Relay", "RelayTesting"],
            swiftSettings: settings),
        .target(name: "Innernet", dependencies: ["HTTPArchive", "Relay", "RelayCore"], swiftSettings: settings),
        .target(
            name: "ResonanceKit", dependencies: ["HTTPArchive", "RecordingFormats", "Relay"], swiftSettings: settings),
        .target(
            name: "CCertificates",
            dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
        .target(
            name: "YAMLDocuments", dependencies: ["HTTPArchive", "RecordingFormats", "Yams"], swiftSettings: settings),
        .target(
            name: "RelayServer",
            dependencies: [
                "CCertificates", "CZlib", "HTTPArchive", "RelayCore",
                .target(name: "ArchiveInspection", condition: .when(traits: ["Server"])),
                .target(name: "YAMLDocuments", condition: .when(traits: ["Server"])),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: settings),
        .target(
            name: "RelayAsyncHTTPClient",
            dependencies: [
                "RelayCore", "RelayServer",
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["AsyncHTTPClient"])),
            ],
            swiftSettings: settings),
        // The options of `har` and `har-serve` that select entries.
        .target(
            name: "EntryConditions",
            dependencies: [
                "HTTPArchive", "RelayCore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // The comparison of entries, WebSocket messages and Swift code, for `har` and `har-serve`.
        .target(name: "ArchiveInspection", dependencies: ["HTTPArchive", "RelayCore"], swiftSettings: settings),
        // The shapes of bodies, and the comparison of recorded responses with current ones.
        .target(name: "ArchiveShapes", dependencies: ["HTTPArchive"], swiftSettings: settings),
        // The API of the page that `har view` opens.
        .target(
            name: "ArchiveView",
            dependencies: [
                "ArchiveChecking", "ArchiveInspection", "EntryConditions", "HTTPArchive", "RecordingFormats",
                "RelayCore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "har-serve",
            dependencies: [
                "ArchiveInspection", "ArchiveView", "CPlatform", "CompressedArchives", "EntryConditions",
                "HTTPArchive", "RelayCore", "RelayServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.copy("Page")],
            swiftSettings: settings),
        .executableTarget(
            name: "har",
            dependencies: [
                "ArchiveChecking", "ArchiveInspection", "ArchiveRepair", "ArchiveShapes", "CPlatform",
                "CompressedArchives", "EntryConditions", "FoundationInternals", "HTTPArchive", "ImportFormats",
                "RecordingFormats", "Relay", "RelayCore", "RelayURLSession", "YAMLDocuments",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // A program that tests run with different environment variables.
        .executableTarget(name: "UnhandledRequests", dependencies: ["Relay"], path: "Tests/Support/UnhandledRequests"),
        // The command `swift package har …`. The plugin does not request permission to write to the package, because
        // SwiftPM would then ask for it even for commands that only read. To run a command that writes on macOS, use
        // `swift package --disable-sandbox har …`.
        .plugin(
            name: "HarPlugin",
            capability: .command(
                intent: .custom(verb: "har", description: "Inspect, filter, redact, convert and replay HAR archives.")),
            dependencies: ["har"]),
        // Secrets, and all locations in an archive where tests plant them.
        .target(
            name: "PlantedSecrets", dependencies: ["CPlatform", "CZlib", "HTTPArchive"],
            path: "Tests/Support/PlantedSecrets",
            swiftSettings: settings),
        // A folder in which system calls fail, for testing all code that writes files.
        .target(
            name: "FaultyDisk", dependencies: ["HTTPArchive", "TestSupport"], path: "Tests/Support/FaultyDisk",
            swiftSettings: settings),
        // The messages of errors, compared with text files.
        .target(name: "ErrorCatalog", path: "Tests/Support/ErrorCatalog", swiftSettings: settings),
        // Prints which planted secrets redaction finds, for `Tests/Redaction/table`.
        .executableTarget(
            name: "RedactionTable", dependencies: ["HTTPArchive", "PlantedSecrets"], path: "Tests/Redaction",
            exclude: ["table"], swiftSettings: settings),
        // Functions for `Tests/Complexity/run`, which counts the instructions that they execute.
        .executableTarget(
            name: "Complexity", dependencies: ["HTTPArchive", "Innernet", "RelayCore"], path: "Tests/Complexity",
            exclude: ["run"], swiftSettings: settings),
        // A program that tests run as if the platform lacked a capability.
        .executableTarget(
            name: "MissingCapabilities",
            dependencies: ["Innernet", "Relay", "RelayLogging", .product(name: "Logging", package: "swift-log")],
            path: "Tests/Support/MissingCapabilities"),
        // Programs for `Tests/Linkage/check`, which checks the libraries that they load.
        .executableTarget(
            name: "ReadsAnArchive", dependencies: ["HTTPArchive"], path: "Tests/Linkage/ReadsAnArchive"),
        .executableTarget(
            name: "ComparesARequest", dependencies: ["RelayCore"], path: "Tests/Linkage/ComparesARequest"),
        .executableTarget(
            name: "AnswersFromAnArchive", dependencies: ["Relay"], path: "Tests/Linkage/AnswersFromAnArchive"),
        // Makes the requests of `Tests/Interoperability/run`.
        .executableTarget(
            name: "ReplayClient", dependencies: ["Relay"], path: "Tests/Interoperability/ReplayClient",
            swiftSettings: settings),
        // Recorders that `Tests/Killing/run` kills.
        .executableTarget(name: "Recorder", dependencies: ["HTTPArchive"], path: "Tests/Killing/Recorder"),
        .executableTarget(name: "Recording", dependencies: ["Relay"], path: "Tests/Killing/Recording"),
        // Makes the requests of `Tests/Soak/run`.
        .target(name: "Allocator", path: "Tests/Soak/Allocator"),
        .executableTarget(name: "Soak", dependencies: ["Allocator", "HTTPArchive", "Relay"], path: "Tests/Soak/Soak"),
        // Receives a stream for `Tests/Streams/pace`.
        .executableTarget(
            name: "StreamPace", dependencies: ["HTTPArchive", "Relay"], path: "Tests/Streams/StreamPace"),
        // Reads every sample, truncated at every byte, for `Tests/EveryCut/run`.
        .executableTarget(
            name: "EveryCut", dependencies: ["HTTPArchive"], path: "Tests/EveryCut", exclude: ["run"]),
        // Support for all test targets: a limit on concurrent tests, and the selection of cases.
        .target(
            name: "TestSupport", dependencies: ["CleanEnvironment"], path: "Tests/Support/TestSupport",
            exclude: ["reduced"],
            swiftSettings: settings),
        // Removes variables of the user's shell from the environment of the tests.
        .target(name: "CleanEnvironment", path: "Tests/Support/CleanEnvironment"),
        .testTarget(
            name: "HTTPArchiveTests",
            dependencies: [
                "ArchiveChecking", "ArchiveRepair", "CJSONScan", "CPlatform", "ErrorCatalog", "FaultyDisk",
                "HTTPArchive", "PlantedSecrets", "TestSupport",
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            exclude: ["Errors/errors.txt"], swiftSettings: settings),
        .testTarget(
            name: "CompressedArchivesTests",
            dependencies: ["ArchiveRepair", "CompressedArchives", "CZlib", "HTTPArchive", "TestSupport"],
            swiftSettings: settings),
        // The examples are compiled without the settings above, like the code of a new user.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["HTTPArchive", "Innernet", "Relay", "RelayTesting", "Vinyl"],
            exclude: ["Examples/Recordings"]),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "ArchiveChecking", "ErrorCatalog", "FaultyDisk", "FoundationInternals", "HTTPArchive",
                "MissingCapabilities", "PlantedSecrets", "Relay", "RelayCore", "RelayLogging", "RelayURLSession",
                "TestSupport", "UnhandledRequests",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Errors/errors.txt"], swiftSettings: settings),
        .testTarget(
            name: "RelayTestingTests",
            dependencies: ["ErrorCatalog", "HTTPArchive", "Relay", "RelayCore", "RelayTesting", "TestSupport"],
            exclude: ["Errors/errors.txt", "shop.har", "Recordings", "ReplayTraitTests", "ReplayingCase"],
            swiftSettings: settings),
        .testTarget(
            name: "RelayServerTests",
            dependencies: [
                "HTTPArchive", "Relay", "RelayCore", "RelayServer", "RelayTesting", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
            ],
            exclude: ["Examples/shop.har"], swiftSettings: settings),
        .testTarget(
            name: "ArchiveShapesTests", dependencies: ["ArchiveShapes", "HTTPArchive"],
            swiftSettings: settings),
        .testTarget(
            name: "ArchiveViewTests", dependencies: ["ArchiveView", "HTTPArchive", "RelayCore"],
            swiftSettings: settings),
        .testTarget(
            name: "HarTests",
            dependencies: [
                "ArchiveChecking", "ArchiveInspection", "ArchiveRepair", "ErrorCatalog", "FaultyDisk", "har",
                "HTTPArchive", "ImportFormats", "PlantedSecrets", "RecordingFormats", "Relay", "YAMLDocuments",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Converting/shop-items.har", "Errors/errors.txt", "Help/help.txt"], swiftSettings: settings),
        .testTarget(
            name: "RecordingFormatsTests",
            dependencies: [
                "ArchiveChecking", "ErrorCatalog", "ImportFormats", "RecordingFormats", "HTTPArchive", "TestSupport",
            ],
            exclude: ["Errors/errors.txt", "Recordings", "flows"], swiftSettings: settings),
        .testTarget(
            name: "RecordAndReplayTests",
            dependencies: ["ErrorCatalog", "HTTPArchive", "Relay", "RelayCore", "RelayURLSession", "TestSupport"],
            exclude: ["Errors/errors.txt"], swiftSettings: settings),
        .testTarget(
            name: "VinylTests", dependencies: ["ErrorCatalog", "Vinyl", "Relay", "HTTPArchive", "TestSupport"],
            exclude: ["Errors/errors.txt"], resources: [.process("Fixtures")], swiftSettings: settings),
        .testTarget(
            name: "InnernetTests",
            dependencies: ["ErrorCatalog", "Innernet", "Relay", "HTTPArchive", "PlantedSecrets", "TestSupport"],
            exclude: ["Errors/errors.txt"], swiftSettings: settings),
        .testTarget(
            name: "ResonanceKitTests",
            dependencies: ["ErrorCatalog", "ResonanceKit", "Relay", "HTTPArchive", "TestSupport"],
            exclude: ["Errors/errors.txt"], swiftSettings: settings),
    ]
)

// Tests/Documentation/build needs this plugin. Users of the package do not fetch it.
if Context.environment["RELAY_DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

// Tests/Fuzz/run needs these modules, which only `har` uses.
if Context.environment["RELAY_FUZZING"] != nil {
    package.products.append(.library(name: "ToolModules", targets: ["ArchiveRepair", "ImportFormats"]))
}

// Tests/Server/proxy-benchmark compares `har proxy` with this program.
if Context.environment["RELAY_FORWARDER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Forwarder",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Server/Forwarder", swiftSettings: settings))
}

// Tests/Server/check builds only the server and its tests. With all other tests, it would take several times as long.
if Context.environment["RELAY_SERVER_TESTS"] != nil {
    let names: Set = [
        "ArchiveChecking", "ArchiveInspection", "ArchiveShapes", "ArchiveView", "ArchiveViewTests", "CArchive",
        "CBrotli", "CCertificates", "CCrypto", "CJSONScan", "CLzma", "CPlatform", "CProcessStart", "CYajl",
        "CYajlTokens", "CZlib",
        "CompressedArchives", "EntryConditions", "FoundationInternals", "HTTPArchive", "RecordingFormats", "Relay",
        "RelayCore",
        "CleanEnvironment", "RelayServer", "RelayServerTests", "RelayTesting", "RelayURLSession", "TestSupport",
        "YAMLDocuments", "har-serve",
    ]
    package.targets.removeAll { !names.contains($0.name) }
    package.products.removeAll { !names.contains($0.name) }
}
