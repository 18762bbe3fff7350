/// An archive with a distinct value for every field of HAR 1.2.
enum FullArchive {
    static let text = #"""
        {"log": {
          "version": "1.2", "comment": "log comment",
          "creator": {"name": "Maker", "version": "1.0", "comment": "creator comment"},
          "browser": {"name": "Browser", "version": "2.0", "comment": "browser comment"},
          "pages": [{
            "startedDateTime": "2009-04-16T12:07:25.123+01:00", "id": "page_0", "title": "Test Page",
            "pageTimings": {"onContentLoad": 1720, "onLoad": 2500.5, "comment": "page timings comment"},
            "comment": "page comment"
          }],
          "entries": [{
            "pageref": "page_0", "startedDateTime": "2009-04-16T12:07:23.596Z", "time": 50.25,
            "request": {
              "method": "POST", "url": "http://www.example.com/path/?param=value", "httpVersion": "HTTP/1.1",
              "cookies": [{
                "name": "TestCookie", "value": "Cookie Value", "path": "/p", "domain": "www.example.com",
                "expires": "2009-07-24T19:20:30.123+02:00", "httpOnly": true, "secure": false, "comment": "cookie comment"
              }],
              "headers": [
                {"name": "Accept-Encoding", "value": "gzip,deflate", "comment": "header comment"},
                {"name": "X", "value": "1"}, {"name": "X", "value": "2"}
              ],
              "queryString": [{"name": "param", "value": "value", "comment": "query comment"}],
              "postData": {
                "mimeType": "multipart/form-data",
                "params": [{
                  "name": "paramName", "value": "paramValue", "fileName": "example.pdf",
                  "contentType": "application/pdf", "comment": "param comment"
                }],
                "text": "plain posted data", "comment": "post comment"
              },
              "headersSize": 150, "bodySize": 20, "comment": "request comment"
            },
            "response": {
              "status": 200, "statusText": "OK", "httpVersion": "h2",
              "cookies": [{"name": "set", "value": ""}], "headers": [{"name": "Vary", "value": "*"}],
              "content": {
                "size": 33, "compression": 5, "mimeType": "text/html; charset=utf-8", "text": "PGh0bWw+",
                "encoding": "base64", "comment": "content comment"
              },
              "redirectURL": "/next", "headersSize": 160, "bodySize": 850, "comment": "response comment"
            },
            "cache": {
              "beforeRequest": {
                "expires": "2009-04-16T15:50:36", "lastAccess": "2009-02-16T15:50:34", "eTag": "\"1\"", "hitCount": 3,
                "comment": "before comment"
              },
              "afterRequest": {"lastAccess": "2009-02-16T15:50:35", "eTag": "", "hitCount": 4},
              "comment": "cache comment"
            },
            "timings": {
              "blocked": 0, "dns": 1.5, "connect": 15, "send": 20, "wait": 38, "receive": 12, "ssl": 7,
              "comment": "timings comment"
            },
            "serverIPAddress": "10.0.0.1", "connection": "52492", "comment": "entry comment"
          }]
        }}
        """#
}
