// swift-tools-version:5.5
import PackageDescription

let package = Package(
    name: "Sample",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "relay", path: "../../..")],
    targets: [
        .testTarget(
            name: "VinylSample", dependencies: [.product(name: "Vinyl", package: "relay")], path: "Tests",
            resources: [.process("vinyl.json")])
    ]
)
