import Foundation
import Relay

/// The default settings of all replays in a test target.
///
/// To set them, declare a class named `ReplayDefaults` in the test target:
///
/// ```swift
/// final class ReplayDefaults: ReplayDefaultSettings {
///     static var settings: ReplaySettings {
///         ReplaySettings(folder: "Fixtures", matching: .standard.ignoring(queryItems: ["timestamp"]))
///     }
/// }
/// ```
///
/// The settings apply to `.replay`, `.stubs`, `withReplay`, and the `replay` method of test cases. Each of these can
/// override individual settings.
public protocol ReplayDefaultSettings: AnyObject {
    /// The settings.
    static var settings: ReplaySettings { get }
}

extension ReplaySettings {
    /// Returns the settings of a test target, which are empty if the target does not declare the class.
    ///
    /// - Parameter module: The name of the module.
    /// - Returns: The settings.
    static func defaults(ofModule module: String) -> ReplaySettings {
        let type: AnyClass? = NSClassFromString("\(module).ReplayDefaults")
        guard var settings = (type as? any ReplayDefaultSettings.Type)?.settings else { return ReplaySettings() }
        settings.sharedRules = Set(settings.rules.map(\.id))
        return settings
    }

    /// Returns the settings of the test target that contains a file.
    ///
    /// - Parameter fileID: The identifier of the file, such as `ShopTests/ItemTests.swift`.
    /// - Returns: The settings.
    static func defaults(ofFile fileID: String) -> ReplaySettings {
        defaults(ofModule: String(fileID.prefix { $0 != "/" }))
    }
}
