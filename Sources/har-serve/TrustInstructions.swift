#if Server
    import Foundation
    import HTTPArchive
    import RelayServer

    /// The path of a certificate authority, and the ways to make clients trust it.
    struct TrustInstructions {
        private let path: String
        private let digest: String

        /// Creates the instructions.
        init(for authority: CertificateAuthority) {
            path = ShellText.quoted(authority.url?.path ?? "")
            digest = authority.publicKeyDigest
        }

        /// The text to print.
        var text: String {
            """
            The certificate of the authority: \(path)

            curl       curl --cacert \(path) -x http://127.0.0.1:PORT https://api.example.com/
            OpenSSL    export SSL_CERT_FILE=\(path)
            Python     export REQUESTS_CA_BUNDLE=\(path)
                       (httpx: SSL_CERT_FILE)
            Node       export NODE_EXTRA_CA_CERTS=\(path)
            Chromium   chromium --ignore-certificate-errors-spki-list=\(digest)
                       --proxy-server=http://127.0.0.1:PORT --proxy-bypass-list='<-loopback>' --user-data-dir=FOLDER
            Proxy      export http_proxy=http://127.0.0.1:PORT https_proxy=http://127.0.0.1:PORT

            URLSession on Linux reads none of these settings. Use an Interceptor in the program instead.
            The key in authority.pem, next to the certificate, can sign certificates for any host. Do not share it, and
            do not add the authority to the system's trust store.
            """
        }
    }
#endif
