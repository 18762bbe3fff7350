#if Server
    import CCertificates
    public import Foundation
    import HTTPArchive
    import NIOCore
    import NIOSSL
    public import RelayCore
    import Synchronization

    /// A certificate authority that signs the server's certificates, which clients must trust for HTTPS.
    ///
    /// It never changes the system's trust store.
    public final class CertificateAuthority: Sendable {
        /// The certificate of the authority, in PEM format.
        public let certificate: String

        /// The file with the certificate, or nil if the authority exists only in memory.
        public let url: URL?

        private let key: String

        /// The certificates for the hosts of the server and of its entries.
        private let knownHosts = HostContexts(limit: 1000)

        /// The certificates for other hosts, which clients can choose freely.
        private let otherHosts = HostContexts(limit: 100)

        /// The validity of an authority, in days.
        private static let authorityDays = 3650

        /// The validity of a server certificate, in days.
        ///
        /// Apple platforms reject more than 825 days (https://support.apple.com/en-us/103769).
        private static let leafDays = 365

        private init(certificate: String, key: String, url: URL?) {
            self.certificate = certificate
            self.key = key
            self.url = url
        }

        /// Creates an authority that exists only in memory.
        ///
        /// - Throws: `unsupportedPlatform` if the platform lacks libcrypto.
        public convenience init() throws(RelayError) {
            do throws(HARError) {
                let (certificate, key) = try Self.makePair()
                self.init(certificate: certificate, key: key, url: nil)
            } catch {
                throw RelayError(.unsupportedPlatform, error.message, underlying: error)
            }
        }

        /// Returns the authority of a folder, and creates it on first use.
        ///
        /// The file `authority.pem` contains the private key, which only its owner can read. The file `certificate.pem`
        /// contains the certificate, for clients.
        ///
        /// - Parameter folder: The folder; the folder `relay` in the user's data folder by default.
        /// - Returns: The authority.
        /// - Throws: `invalidSetting` if the files cannot be read or written, or are not valid, or if other users can read
        ///   or replace the key. A symbolic link is not followed.
        public static func stored(in folder: URL = dataFolder) throws(RelayError) -> CertificateAuthority {
            let file = folder.appendingPathComponent("authority.pem")
            do throws(HARError) {
                if !PrivateFile.exists(at: file) {
                    try FileSystemCalls.current.createFolders(folder, mode: 0o700)
                    let (certificate, key) = try makePair()
                    // If another process creates the file at the same time, the authority of that process is used.
                    do throws(HARError) {
                        try write(key + certificate, to: file, isPrivate: true)
                    } catch {
                        guard PrivateFile.exists(at: file) else { throw error }
                    }
                }
                return try read(file)
            } catch {
                throw RelayError(
                    .invalidSetting,
                    "The certificate authority \(error.context.file ?? folder.path) cannot be used: \(error.message)",
                    underlying: error)
            }
        }

        private static func read(_ file: URL) throws(HARError) -> CertificateAuthority {
            let text = String(decoding: try PrivateFile.read(file), as: UTF8.self)
            guard let range = text.range(of: "-----BEGIN CERTIFICATE-----"),
                case let (certificate, key) = (String(text[range.lowerBound...]), String(text[..<range.lowerBound])),
                ccertificates_match(certificate, key) == 1, ccertificates_days_left(certificate) > 30
            else {
                let reason =
                    """
                    \(file.lastPathComponent) is not valid, or its certificate expires within 30 days. Remove the file \
                    to create another one.
                    """
                throw HARError(.unreadableFile, reason, at: .init(file: file.path))
            }
            let url = file.deletingLastPathComponent().appendingPathComponent("certificate.pem")
            if (try? String(contentsOf: url, encoding: .utf8)) != certificate {
                try write(certificate, to: url, isPrivate: false)
            }
            return CertificateAuthority(certificate: certificate, key: key, url: url)
        }

        private static func write(_ text: String, to file: URL, isPrivate: Bool) throws(HARError) {
            var settings = OutputFile.Settings()
            settings.isPrivate = isPrivate
            settings.replacesFile = !isPrivate
            settings.isSynchronized = true
            let output = try OutputFile(url: file, settings: settings)
            try output.write(Array(text.utf8))
            try output.finish()
        }

        private static func makePair() throws(HARError) -> (certificate: String, key: String) {
            // A common name has at most 64 characters (RFC 5280, appendix A.1).
            let name = "Relay test authority (\(ProcessInfo.processInfo.hostName.prefix(40)))"
            return try pair { ccertificates_make_authority(name, authorityDays, &$0) }
        }

        private static func pair(_ make: (inout ccertificates_pair) -> Int32) throws(HARError) -> (String, String) {
            var pair = ccertificates_pair()
            guard make(&pair) == 1, let certificate = pair.certificate, let key = pair.key else {
                throw HARError(
                    .invalidSetting, "Certificates require libcrypto, which this platform lacks or which has failed.")
            }
            defer { ccertificates_free(&pair) }
            return (String(cString: certificate), String(cString: key))
        }
    }

    extension CertificateAuthority {
        /// The folder `relay` in the user's data folder.
        public static var dataFolder: URL { UserFolder.data.appendingPathComponent("relay") }

        /// The SHA-256 digest of the authority's public key in Base64, for Chromium's option
        /// `--ignore-certificate-errors-spki-list`.
        public var publicKeyDigest: String {
            var digest = [UInt8](repeating: 0, count: 32)
            guard ccertificates_digest_of_public_key(certificate, &digest) == 1 else { return "" }
            return Data(digest).base64EncodedString()
        }

        /// Returns the TLS settings for a host, with a certificate that is made on another thread if necessary.
        ///
        /// - Parameters:
        ///   - host: A name, or an address without brackets.
        ///   - isKnown: Whether the host is the server's or recorded. Its certificate does not wait for others.
        ///   - loop: The event loop of the result.
        /// - Returns: The settings, or an error if the host cannot be in a certificate or too many others wait for theirs.
        func context(for host: String, isKnown: Bool, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
            let host = host.lowercased()
            guard Self.isValid(host) else { return loop.makeFailedFuture(NIOSSLError.noCertificateToValidate) }
            return (isKnown ? knownHosts : otherHosts).context(for: host, on: loop) { [self] in
                try makeContext(for: host)
            }
        }

        /// Returns whether a lowercase host is an address, or a name of labels that is not an abbreviated address
        /// (https://www.rfc-editor.org/rfc/rfc1123#section-2.1).
        static func isValid(_ host: String) -> Bool {
            if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return true }
            let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let hyphen = UInt8(ascii: "-")
            let areValid = labels.allSatisfy { label in
                1...63 ~= label.count && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == hyphen || $0 == 0x5F }
            }
            // The last label of an IPv4 address is a number, also in unusual forms such as 127.1 and 0x7f.1.
            let last = labels.last.map { String(Substring($0)) } ?? ""
            let digits = last.hasPrefix("0x") ? last.dropFirst(2) : last[...]
            let isNumber = digits.utf8.allSatisfy { 0x30...0x39 ~= $0 || last.hasPrefix("0x") && 0x61...0x66 ~= $0 }
            return areValid && !isNumber && host.utf8.count <= 253
        }

        private func makeContext(for host: String) throws -> NIOSSLContext {
            let address = try? SocketAddress(ipAddress: host, port: 0)
            let bytes = address.map(Self.bytes)
            let (leaf, key) = try Self.pair {
                ccertificates_make_leaf(
                    certificate, self.key, host, bytes, bytes?.count ?? 0, Self.leafDays, &$0)
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try [leaf, certificate].map {
                    .certificate(try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem))
                },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
            // Meanwhile, a closed connection waits for the client's notice, and the limit on connections does not count it.
            configuration.shutdownTimeout = .milliseconds(500)
            configuration.applicationProtocols = ["h2", "http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        }

        /// Returns the 4 or 16 bytes of an address.
        private static func bytes(of address: SocketAddress) -> [UInt8] {
            switch address {
            case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
            case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            case .unixDomainSocket: []
            }
        }
    }
#endif
