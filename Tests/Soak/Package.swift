// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Soak",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .target(name: "Allocator"),
        .executableTarget(
            name: "Soak",
            dependencies: [
                "Allocator", .product(name: "HTTPArchive", package: "Relay"), .product(name: "Relay", package: "Relay"),
            ]),
    ]
)
