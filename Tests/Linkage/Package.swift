// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Linkage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relay", path: "../..")],
    targets: [
        .executableTarget(name: "ReadsAnArchive", dependencies: [.product(name: "HTTPArchive", package: "Relay")]),
        .executableTarget(name: "ComparesARequest", dependencies: [.product(name: "RelayCore", package: "Relay")]),
        .executableTarget(name: "AnswersFromAnArchive", dependencies: [.product(name: "Relay", package: "Relay")]),
    ]
)
