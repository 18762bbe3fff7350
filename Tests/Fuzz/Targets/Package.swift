// swift-tools-version: 6.1
import PackageDescription

// Built by `run`, which adds the sanitizers.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])],
    dependencies: [.package(name: "Relay", path: "../../..")],
    targets: [
        .target(
            name: "Fuzz",
            dependencies: [.product(name: "HTTPArchive", package: "Relay"), .product(name: "Relay", package: "Relay")])
    ]
)
