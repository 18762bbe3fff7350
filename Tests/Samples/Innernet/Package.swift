// swift-tools-version:5.7
import PackageDescription

let package = Package(
    name: "Sample",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "relay", path: "../../..")],
    targets: [
        .testTarget(
            name: "InnernetSample", dependencies: [.product(name: "Innernet", package: "relay")], path: "Tests")
    ]
)
