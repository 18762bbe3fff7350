// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Sample",
    platforms: [.macOS("15.0")],
    dependencies: [.package(name: "relay", path: "../../..")],
    targets: [
        .testTarget(
            name: "HTTPArchiveSample", dependencies: [.product(name: "HTTPArchive", package: "relay")], path: "Tests")
    ]
)
