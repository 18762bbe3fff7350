import CPlatform
import Foundation

@testable import FoundationInternals
@testable import HTTPArchive
@testable import RelayCore
@testable import RelayURLSession

/// Parses the document as a header section, and as messages of a transfer in an order chosen by the input.
///
/// All well-formed fields must be found in order, with the values that a byte-by-byte parser finds.
func checkTransfer(_ input: Input) {
    checkBlock(input.bytes)
    checkBlock(input.document)
    checkEvents(input)
    checkTransferredMessage(input)
}

private func checkBlock(_ bytes: [UInt8]) {
    let block = HeaderBlock(bytes)
    expectEqual(block.size, bytes.count, "The size")
    let found = block.fields.filter { FieldSyntax.isToken($0.name) }
    expectEqual(found, SimpleBlock(bytes).fields, "The well-formed fields")
    _ = block.words
}

/// The well-formed fields of a header section, found by a byte-by-byte parser.
private struct SimpleBlock {
    private(set) var fields: [HeaderField] = []
    private var isFirst = true

    /// Whether a folded line would continue a well-formed field, or nil before the first field.
    private var isContinued: Bool?

    init(_ bytes: [UInt8]) {
        var line: [UInt8] = []
        for byte in bytes {
            if byte == 10 {
                take(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        take(line)
    }

    private mutating func take(_ line: [UInt8]) {
        defer { isFirst = false }
        var line = line
        if line.last == 13 { line.removeLast() }
        guard !isFirst, let first = line.first else { return }
        if first == 32 || first == 9 {
            let rest = Self.text(line)
            guard isContinued == true, let last = fields.indices.last, !rest.isEmpty else { return }
            fields[last].value += fields[last].value.isEmpty ? rest : " " + rest
            return
        }
        var name: [UInt8] = []
        while let byte = line.first, byte != 58 {
            name.append(byte)
            line.removeFirst()
        }
        guard !line.isEmpty else { return }
        line.removeFirst()
        let isToken = !name.isEmpty && name.allSatisfy(Self.isTokenCharacter)
        isContinued = isToken
        if isToken { fields.append(HeaderField(name: String(decoding: name, as: UTF8.self), value: Self.text(line))) }
    }

    /// Whether a byte can be part of a token (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Trims spaces and tabs, and decodes the line as UTF-8 or, if it is not valid UTF-8, as ISO 8859-1.
    private static func text(_ line: [UInt8]) -> String {
        var line = line
        while let last = line.last, last == 32 || last == 9 { line.removeLast() }
        while let first = line.first, first == 32 || first == 9 { line.removeFirst() }
        if let text = String(validating: line, as: UTF8.self) { return text }
        return line.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
    }
}

// MARK: Events

/// Reports parts of the document as arbitrary events.
private func checkEvents(_ input: Input) {
    let kinds = [
        transfer_header_out, transfer_header_in, transfer_data_out, transfer_data_in, transfer_before_request,
    ]
    var messages = TransferMessages()
    var sent = 0
    for (number, piece) in input.pieces.prefix(200).enumerated() {
        let kind = kinds[input.choice(number, of: kinds.count)]
        let wasComplete = kind == transfer_header_out && !messages.requestHead.isEmpty
        if kind == transfer_before_request || wasComplete { sent = 0 }
        if kind == transfer_data_out { sent += piece.count }
        note(kind, piece, in: &messages)
        expectEqual(messages.requestBodySize, sent, "The size of the request's body")
        for head in [messages.requestHead, messages.responseHead] where !head.isEmpty {
            if !head.suffix(4).elementsEqual([13, 10, 13, 10]), !head.suffix(2).elementsEqual([10, 10]),
                !head.suffix(3).elementsEqual([10, 13, 10])
            {
                fail("A header section without an empty line at its end: \(head)")
            }
        }
    }
    _ = TransferFacts(messages, start: .now)
}

private func note(_ event: transfer_event, _ bytes: ArraySlice<UInt8>, in messages: inout TransferMessages) {
    bytes.withUnsafeBufferPointer { messages.note(event, $0) }
}

// MARK: Messages

/// Reports a valid request and response, whose field values are the lines of the document.
private func checkTransferredMessage(_ input: Input) {
    let fields = input.lines.prefix(50).enumerated().map { number, line in
        let value = line.unicodeScalars.filter { $0 != "\r" && $0 != "\0" }
        return HeaderField(
            name: "X-\(number)", value: String(String.UnicodeScalarView(value)).trimmingSpaces)
    }
    let lines = fields.map { Array("\($0.name): \($0.value)\r\n".utf8) }
    let section = lines.flatMap(\.self) + [13, 10]
    var messages = TransferMessages()
    note(transfer_before_request, [], in: &messages)
    var request = Array("GET / HTTP/1.1\r\n".utf8) + section
    let requestSize = request.count
    // The request can be sent once on a connection that is lost, and then again in parts.
    if input.choice(0, of: 2) == 1 { note(transfer_header_out, request[...], in: &messages) }
    while !request.isEmpty {
        let part = request.prefix(1 + 8 * input.choice(1, of: 256))
        note(transfer_header_out, part, in: &messages)
        request.removeFirst(part.count)
    }
    if input.choice(2, of: 2) == 1 {
        note(transfer_header_in, Array("HTTP/1.1 103 Early Hints\r\n".utf8)[...], in: &messages)
        note(transfer_header_in, Array("Link: </a>\r\n".utf8)[...], in: &messages)
    }
    let statusLine = Array("HTTP/1.1 200 All is well\r\n".utf8)
    for line in [statusLine] + lines + [[13, 10]] { note(transfer_header_in, line[...], in: &messages) }
    note(transfer_data_in, section[...], in: &messages)
    note(transfer_header_in, Array("Trailer: x\r\n".utf8)[...], in: &messages)

    let facts = TransferFacts(messages, start: .now)
    expectEqual(facts.requestHeaders, fields, "The request's fields")
    expectEqual(facts.wire.requestHeadersSize, requestSize, "The size of the request's header section")
    expectEqual(facts.head?.status, 200, "The status code")
    expectEqual(facts.head?.statusText, "All is well", "The status text")
    expectEqual(facts.head?.headers, fields, "The response's fields")
    expectEqual(facts.wire.responseHeadersSize, statusLine.count + section.count, "The size of the header section")
}

extension String {
    fileprivate var trimmingSpaces: String {
        var bytes = Array(utf8)
        while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
        while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
