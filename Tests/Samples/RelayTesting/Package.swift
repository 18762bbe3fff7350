// swift-tools-version:6.1
import PackageDescription

let package = Package(
    name: "Sample",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "relay", path: "../../..")],
    targets: [
        .testTarget(
            name: "RelayTestingSample", dependencies: [.product(name: "RelayTesting", package: "relay")], path: "Tests",
            resources: [.copy("Recordings")])
    ]
)
