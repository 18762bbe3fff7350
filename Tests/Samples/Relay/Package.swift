// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "Sample",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "relay", path: "../../..")],
    targets: [
        .testTarget(
            name: "RelaySample", dependencies: [.product(name: "Relay", package: "relay")], path: "Tests")
    ]
)
