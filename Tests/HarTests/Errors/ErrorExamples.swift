/// Command lines that fail, or that print a warning.
///
/// The command lines run in parallel, so they only read files that the test writes, or write files with unique names.
enum ErrorExamples {
    static let all = usage + conditions + requests + reading + writing + converting + redacting

    private static let usage = [
        "har insepct shop.har", "har shop.har", "har nonsense", "har inspect", "har inspect shop.har empty.har",
        "har entries --jsno shop.har", "har entries --json --ndjson shop.har", "har entries --size-limit x shop.har",
        "har body shop.har", "har body shop.har x", "har body shop.har -1", "har copy --layout wide shop.har out.har",
        "har merge shop.har", "har merge - - out.har", "har split shop.har parts", "har split --by x shop.har parts",
        "har split --by count=0 shop.har parts", "har split --by host --max-parts 0 shop.har parts",
        "har split --by host shop.har 'a*b*c'", "har index -", "har repair -", "har repair --broken x broken.har",
        "har import shop.json", "har import - - out.har", "har import --base-url x shop.json out.har",
        "har import --from x shop.json out.har", "har export shop.har", "har export --to x shop.har", "har status",
        "har replay --json --verbose shop.har",
        "har replay shop.har ftp://shop.test/",
        "har show", "har show shop.har", "har show shop.har 99", "har show truncated.har 0 >/dev/null",
        "har waterfall", "har waterfall --width 5 shop.har", "har waterfall missing.har",
        "har waterfall broken.har >/dev/null", "har search shop.har", "har search --in x shop.har text",
        "har search shop.har --sold", "har entries --limit -1 shop.har", "har stats - -", "har table - -",
        "har diff - -", "har diff --ignore x shop.har empty.har", "har diff --json --matching shop.har empty.har",
        "har diff --all --matching shop.har empty.har", "har diff shop.har missing.har",
        "har table", "har table --csv-safe --format ndjson shop.har", "har stats --csv-safe shop.har",
        "har table --split 0 -o new.csv shop.har",
        "har table --split 5 shop.har", "har table --columns uri,host shop.har",
        "har table --columns zzzzzzzz shop.har", "har table --columns url,url shop.har",
        "har table --columns , shop.har", "har table --columns url --bodies shop.har",
        "har table --format xml shop.har", "har table shop.har -o new.parquet",
    ]

    private static let conditions = [
        "har filter shop.har out.har", "har filter --status 6 --status x shop.har out.har",
        "har filter --since yesterday shop.har out.har",
        "har filter --since 2026-02-01 --until 2026-01-01 shop.har out.har",
        "har filter --min-size big shop.har out.har", "har filter --min-size 2kB --max-size 1kB shop.har out.har",
        "har filter --type html shop.har out.har", "har filter --entries 3-1 shop.har out.har",
        "har filter --host other.test shop.har filtered.har", "har entries --host '' shop.har",
    ]

    private static let requests = [
        "har record", "har record out.har", "har record - https://shop.test/", "har record out.har ftp://shop.test/",
        "har record out.har mailto:shop", "har record out.har https:///a", "har record out.har 'http://a b/'",
        "har record --bodies x out.har https://shop.test/", "har record --json 1 -d 2 out.har https://shop.test/",
        "har record -I -d 1 out.har https://shop.test/", "har record -X 'G T' out.har https://shop.test/",
        "har record -F a=1 -d 2 out.har https://shop.test/", "har record -F a out.har https://shop.test/",
        "har record -k out.har https://shop.test/", "har record -b cookies.txt out.har https://shop.test/",
        "har record -u me out.har https://shop.test/", "har record --max-time 0 out.har https://shop.test/",
        "har record --max-time x out.har https://shop.test/", "har record -H x out.har https://shop.test/",
        "har record -d @missing.txt out.har https://shop.test/",
        "har record -F a=@missing.txt out.har https://shop.test/",
        "har record missing/out.har https://shop.test/", "har record folder https://shop.test/",
        "har record broken.har https://shop.test/",
    ]

    private static let reading = [
        "har inspect missing.har", "har inspect folder", "har inspect page.html", "har inspect broken.har",
        "har inspect head.har", "har inspect truncated.har", "har inspect - < empty.txt", "har entries missing.har",
        "har entries broken.har", "har check missing.har", "har body missing.har 0", "har body shop.har 99",
        "har body empty.har 0", "har body shop.har 5", "har search bodies.har absent",
        "har inspect --size-limit 100 shop.har", "har inspect --entry-limit 2 shop.har",
        "har inspect --depth-limit 3 shop.har", "har inspect --depth-limit 5000 shop.har",
        "har inspect --field-limit 2 shop.har", "har replay missing.har",
        "har replay broken.har", "har status missing", "har status --use-log missing.log folder",
        "har status --use-log folder folder", "har entries shop.har >&-", "har table missing.har folder",
        "har table missing.har broken.har truncated.har >new1.csv", "har stats missing.har truncated.har >/dev/null",
        "har table --bodies bodies.har >new2.csv",
        "cat shop.har | TMPDIR=/dev/null har split --by host - parts2",
    ]

    private static let writing = [
        "har table shop.har >&-", "har table shop.har -o shop.har", "har table shop.har -o missing/new.csv",
        ": >new3-00000.csv; har table shop.har --split 5 -o new3.csv",
        "har copy missing.har out.har", "har copy shop.har folder",
        "har copy shop.har missing/out.har", "har copy shop.har notes.txt/out.har", "har copy truncated.har copy2.har",
        "har merge shop.har empty.har notes.txt", "har merge shop.har missing.har merged.har",
        "har split --by host shop.har parts", "har split --by count=1 --max-parts 2 shop.har parts/new",
        "har split --by host shop.har notes.txt", "har repair missing.har", "har repair broken.har",
        "har repair --broken aside broken.har", "har repair head.har", "har repair page.html",
        "har index missing.har", "cat shop.har | har index /dev/stdin", "har index --output notes.txt shop.har",
        "har index --output shop.har shop.har", "har index --output missing/a.harindex shop.har",
        "har index truncated.har", "har index --remove --output notes.txt shop.har",
    ]

    private static let converting = [
        "har import shop.json notes.txt", "har import missing.json i1.har", "har import pictures i2.har",
        "har import --from vcr shop.json i3.har", "har import shop.json i4.har", "har import shop.har i5.har",
        "har import --from vcr vinyl.json i6.har", "har import --from vinyl vinyl.json i6.har",
        "har import broken.json i7.har", "har import tab.yml i8.har", "har import twice.yml i9.har",
        "har import alias.yml i10.har", "har import open.yml i11.har", "har import deep.yml i12.har",
        "har import latin.yml i13.har", "har import --size-limit 3 shop.json i14.har", "har import folder i15.har",
        "har export --to vinyl missing.har", "har export --to vinyl shop.har shop.har",
        "har export --to vinyl shop.har > /dev/null",
        "har export --to k6 shop.har > /dev/null", "har export --to dvr shop.har > /dev/null",
        "har export --to curl shop.har 3-1", "har export --to curl shop.har 3 --entries 2 > /dev/null",
    ]

    private static let redacting = [
        "har redact missing.har out.har", "har redact --pattern '(' shop.har out.har",
        "har redact bodies.har redacted.har", "har redact bodies.har - > /dev/null",
        "RELAY_REDACTION_KEY=short har redact shop.har out.har",
    ]
}
