// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "EveryCut",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .executableTarget(name: "EveryCut", dependencies: [.product(name: "HTTPArchive", package: "Relay")])
    ]
)
