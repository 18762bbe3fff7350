#if Server
    import Foundation
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct CertificateAuthorityTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        @Test func `an authority is created once, with a private key file`() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let first = try CertificateAuthority.stored(in: folder)
            let second = try CertificateAuthority.stored(in: folder)
            #expect(first.certificate == second.certificate)
            #expect(first.publicKeyDigest.count == 44)
            let key = folder.appendingPathComponent("authority.pem").path
            let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let certificate = try String(contentsOf: #require(first.url), encoding: .utf8)
            #expect(certificate == first.certificate)
            #expect(!certificate.contains("PRIVATE KEY"))
        }

        @Test func `processes that start at the same time use the same authority`() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let certificates = try await withThrowingTaskGroup(of: String.self) { [folder] group in
                for _ in 0..<20 { group.addTask { try CertificateAuthority.stored(in: folder).certificate } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(certificates.count == 1)
        }

        @Test(arguments: ["", "junk", "-----BEGIN CERTIFICATE-----\njunk\n-----END CERTIFICATE-----\n"])
        func `a damaged file is an error that says how to replace it`(content: String) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("authority.pem")
            try Data(content.utf8).write(to: file)
            #expect {
                try CertificateAuthority.stored(in: folder)
            } throws: {
                ($0 as? RelayError)?.code == .invalidSetting && "\($0)".contains("Remove the file")
            }
        }

        @Test func `a folder that cannot be created is an error`() {
            #expect(throws: RelayError.self) {
                try CertificateAuthority.stored(in: URL(fileURLWithPath: "/dev/null/relay"))
            }
        }
    }
#endif
