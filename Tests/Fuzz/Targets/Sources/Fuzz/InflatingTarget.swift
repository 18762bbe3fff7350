import CZlib
import Foundation

@testable import HTTPArchive
@testable import RecordingFormats

/// Decompresses the bytes in each format and as a body with content codings, with limits that depend on the input.
///
/// A single call to zlib must return the same results. The bytes are also compressed and decompressed, which must
/// restore the original bytes if the limit is at least their size, and fail if the limit is smaller.
func checkInflating(_ input: Input) {
    let bytes = input.bytes
    let limit = [1 << 20, input.choice(0, of: 256), 16 * input.choice(0, of: 256), 0][input.choice(1, of: 4)]
    for (format, window) in [(Deflate.Format.gzip, MAX_WBITS + 16), (.zlib, MAX_WBITS), (.raw, -MAX_WBITS)] {
        let inflated = try? Deflate.inflated(bytes[...], format, sizeLimit: limit)
        expectEqual(inflated, simplyInflated(bytes, windowBits: window, limit: limit), "Inflated as \(format)")
        checkDeflating(bytes, format)
    }
    checkBudget(input)
    checkContentCoding(input)
}

private func checkDeflating(_ bytes: [UInt8], _ format: Deflate.Format) {
    guard let deflated = Deflate.deflated(bytes, format) else { fail("Deflating failed.") }
    expectEqual(try? Deflate.inflated(deflated[...], format, sizeLimit: bytes.count), bytes, "Deflated as \(format)")
    let trailed = deflated + [0, 1, 2]
    expectEqual(try? Deflate.inflated(trailed[...], format, sizeLimit: .max >> 1), bytes, "With trailing bytes")
    if !bytes.isEmpty {
        expectEqual(
            try? Deflate.inflated(deflated[...], format, sizeLimit: bytes.count - 1), nil, "Larger than the limit")
        expectEqual(try? Deflate.inflated(deflated.dropLast(), format, sizeLimit: .max >> 1), nil, "Truncated")
    }
}

/// Checks that decompression reduces the budget by the size of the content and never exceeds the budget.
private func checkBudget(_ input: Input) {
    let budget = input.choice(0, of: 256) << input.choice(1, of: 16)
    for mayBeRaw in [false, true] {
        var rest = budget
        guard let compressed = try? CompressedBytes(input.bytes, mayBeRaw: mayBeRaw, budget: &rest) else {
            if !(0...budget).contains(rest) { fail("A budget of \(budget) became \(rest).") }
            continue
        }
        expectEqual(rest, budget - compressed.content.count, "The rest of the budget")
        if rest < 0 { fail("The content is larger than the budget of \(budget).") }
        guard let again = compressed.replacing(content: compressed.content) else { fail("Deflating failed.") }
        if again.count > 8 {
            expectEqual(
                CompressedBytes(again, mayBeRaw: mayBeRaw)?.content, compressed.content, "Compressed in the same format"
            )
        }
    }
}

/// Checks that bodies accepted by zlib are decoded, and that decoding restores an encoded body.
private func checkContentCoding(_ input: Input) {
    let bytes = input.bytes
    let codings = ["gzip", "x-gzip", "deflate", "identity", "br", "", "GZIP", " deflate "]
    let names = (0..<(1 + input.choice(0, of: 3))).map { codings[input.choice(1 + $0, of: codings.count)] }
    let headers = [HAR.Header(name: "Content-Encoding", value: names.joined(separator: ","))]
    _ = try? ContentCoding.decoded(Data(bytes), headers: headers)

    for (name, window) in [("gzip", MAX_WBITS + 16), ("deflate", MAX_WBITS), ("deflate", -MAX_WBITS)] {
        // Window sizes other than 32 KiB, dictionaries, and raw data that starts like a frame are not supported.
        guard let content = simplyInflated(bytes, windowBits: window, limit: 1 << 26),
            name == "gzip" ? bytes.count > 18 : (bytes[0] & 0xF == 8) == (window > 0)
        else { continue }
        let result = decoded(bytes, [name])
        // Data without a frame must not have trailing bytes.
        if window < 0, result == Data(bytes) { continue }
        expectEqual(result, Data(content), "\(name), \(window)")
    }
    var coded = bytes
    for name in names {
        switch name.lowercased() {
        case "gzip", "x-gzip": coded = Deflate.deflated(coded, .gzip) ?? []
        case "deflate", " deflate ": coded = Deflate.deflated(coded, .zlib) ?? []
        // An unsupported coding is ignored only if the body is text.
        case "br": return
        default: break
        }
    }
    expectEqual(decoded(coded, names), Data(bytes), "\(names)")
}

private func decoded(_ bytes: [UInt8], _ names: [String]) -> Data? {
    let headers = [HAR.Header(name: "content-encoding", value: names.joined(separator: ", "))]
    return if case .bytes(let data)? = try? ContentCoding.decoded(Data(bytes), headers: headers) { data } else { nil }
}

/// Decompresses bytes with one call to zlib, or returns nil if they are invalid or the result exceeds the limit.
private func simplyInflated(_ bytes: [UInt8], windowBits: Int32, limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
        fail("No memory for zlib.")
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    // One byte more than the limit, or than the maximum size of content that compresses to the size of the input.
    var output = [UInt8](repeating: 0, count: 1 + min(limit, 1032 * bytes.count + 64))
    let (status, count) = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            return (inflate(&stream, Z_FINISH), output.count - Int(stream.avail_out))
        }
    }
    return status == Z_STREAM_END && count <= limit ? Array(output[..<count]) : nil
}
