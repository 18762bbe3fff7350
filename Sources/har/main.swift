import HTTPArchive
import Foundation
let a = CommandLine.arguments
let r = try HARReader(contentsOf: URL(fileURLWithPath: a[1]))
let w = a.count > 2 ? try HARWriter(to: URL(fileURLWithPath: a[2])) : nil
var n = 0
do {
    while let e = try r.nextEvent() {
        try w?.write(e); if case .entry(let e) = e { n += 1; _ = e.request.url; _ = e.response.status }
    }
    try w?.finish()
    print(a[1], n, r.log.creator?.name as Any)
} catch { print(a[1], n, error) }
