// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "RequestPath",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .target(name: "Coverage"),
        .executableTarget(
            name: "OneRequest", dependencies: ["Coverage", .product(name: "Relay", package: "Relay")]),
    ]
)
