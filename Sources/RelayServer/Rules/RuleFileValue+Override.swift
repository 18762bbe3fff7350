#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    extension RuleFileValue {
        private static let overrideKeys =
            [
                "status", "statusText", "headers", "addHeaders", "set", "remove", "jsonMembers", "mergePatch",
                "jsonPatch",
                "replace", "replaceMatches", "delay", "recordedTimings", "bytesPerSecond", "failure", "cutOff",
                "sometimes",
            ] + bodyKeys

        /// Returns the overrides in a mapping, in the order of the file.
        func overrides() throws(RelayError) -> [ResponseOverride] {
            let members = try members(among: Self.overrideKeys, "a mapping of changes")
            try checkBodies(members.map(\.key))
            var overrides: [ResponseOverride] = []
            let phrase = try members.first { $0.key == "statusText" }?.value.text("a reason phrase")
            for (key, value) in members {
                if key == "status" {
                    overrides.append(.status(try value.status(), phrase ?? ""))
                } else {
                    overrides += try value.overrides(key)
                }
            }
            if phrase != nil, !members.contains(where: { $0.key == "status" }) {
                throw error("'statusText' requires 'status'. Add it.")
            }
            guard let sometimes = members.first(where: { $0.key == "sometimes" })?.value else { return overrides }
            let (share, seed) = try sometimes.selection()
            return overrides.map { .sometimes(share, seed: seed, $0) }
        }

        private func overrides(_ key: String) throws(RelayError) -> [ResponseOverride] {
            switch key {
            case "headers": return try changedFields()
            case "addHeaders": return try fields().map { .addingHeader($0.name, $0.value) }
            case "set":
                return try each("a mapping of JSON pointers and values") { pointer, value in
                    try .json(at: pointer, value.json)
                }
            case "remove":
                return try elements.map { element throws(RelayError) in
                    let pointer = try element.text("a JSON pointer")
                    return try element.locating { try .removingJSON(at: pointer) }
                }
            case "jsonMembers":
                var values: [String: JSONValue] = [:]
                for (name, value) in try members("a mapping of names and values") { values[name] = value.json }
                return [.jsonMembers(values)]
            case "mergePatch": return [.mergePatch(json)]
            case "jsonPatch": return [.jsonPatch(try locating { try JSONPatch(json) })]
            case "replace":
                return try each("a mapping of texts") { old, value in
                    .replacing(old, with: try value.text("the new text"))
                }
            case "replaceMatches":
                return try each("a mapping of regular expressions and templates") { expression, value in
                    try .replacing(regularExpression: expression, with: value.text("a template"))
                }
            case "delay": return [.delay(try duration())]
            case "recordedTimings":
                return [.recordedTimings(scaledBy: try number(0...1_000_000, "a factor of at least 0"))]
            case "bytesPerSecond":
                return [.bandwidth(bytesPerSecond: try number(1...Int.max, "a positive number"))]
            case "failure": return [.failure(try failure())]
            case "cutOff": return [.cutOff(afterBytes: try number(0...Int.max, "a number of bytes"))]
            case "statusText", "sometimes": return []
            default:
                let (data, type) = try body(key)
                return [.body(data, type: type)]
            }
        }

        /// Returns an override for each member of a mapping.
        private func each(
            _ expected: String, _ make: (String, RuleFileValue) throws -> ResponseOverride
        ) throws(RelayError) -> [ResponseOverride] {
            try members(expected).map { key, value throws(RelayError) in
                try value.locating { try make(key, value) }
            }
        }

        /// Returns overrides that set header fields, and remove those with the value null.
        private func changedFields() throws(RelayError) -> [ResponseOverride] {
            try members("a mapping of names and values").map { name, value throws(RelayError) in
                try value.checkFieldName(name)
                if value.isNull { return .removingHeader(name) }
                return .header(name, try value.text("the value of a field or null"))
            }
        }

        /// Returns the share of requests, and the seed of the selection.
        private func selection() throws(RelayError) -> (share: Double, seed: UInt64) {
            var share: Double?
            var seed: UInt64 = 1
            for (key, value) in try members(among: ["share", "seed"], "a mapping with 'share' and 'seed'") {
                if key == "share" {
                    share = try value.number(0...1, "a number from 0 to 1")
                } else {
                    seed = UInt64(try value.number(0...Int.max, "a whole number"))
                }
            }
            guard let share else { throw error("'sometimes' requires 'share', a number from 0 to 1. Add it.") }
            return (share, seed)
        }
    }
#endif
