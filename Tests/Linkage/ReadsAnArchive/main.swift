import Foundation
import HTTPArchive

// A program that uses only HTTPArchive: reads an archive and writes a copy.
let text = #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[{"time":1.50}]}}"#
let reader = HARReader(data: Data(text.utf8))
let writer = HARWriter(handle: .standardOutput)
while let event = try reader.nextEvent() { try writer.write(event) }
try writer.finish()
