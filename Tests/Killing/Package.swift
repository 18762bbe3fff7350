// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Killing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .executableTarget(name: "Recorder", dependencies: [.product(name: "HTTPArchive", package: "Relay")]),
        .executableTarget(name: "Recording", dependencies: [.product(name: "Relay", package: "Relay")]),
    ]
)
