// swift-tools-version: 6.1
import PackageDescription

// The package name that the package manager passes to the compiler for Relay, which is the name of Relay's folder.
// `YAMLDocument.swift` is a link to a source file of YAMLDocuments and uses declarations with package access.
let folder = Context.packageDirectory.split(separator: "/").dropLast(3).last ?? ""
let relay = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

// Built by `run`, which adds the sanitizers.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])],
    dependencies: [
        .package(name: "Relay", path: "../../.."), .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .target(
            name: "Fuzz",
            dependencies: [
                .product(name: "ArchiveChecking", package: "Relay"), .product(name: "HTTPArchive", package: "Relay"),
                .product(name: "Relay", package: "Relay"), .product(name: "ToolModules", package: "Relay"), "Yams",
            ],
            packageAccess: false,
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .unsafeFlags(["-package-name", relay]),
            ])
    ]
)
