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
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect {
                try CertificateAuthority.stored(in: folder)
            } throws: {
                ($0 as? RelayError)?.code == .invalidSetting && "\($0)".contains("Remove the file")
            }
        }

        @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o602, 0o601])
        func `a key that other users can read or change is refused`(mode: Int) throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let authority = try CertificateAuthority.stored(in: folder)
            let file = folder.appendingPathComponent("authority.pem").path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let error = #expect(throws: RelayError.self) { try CertificateAuthority.stored(in: folder) }
            #expect(error?.code == .invalidSetting)
            #expect(error?.message.contains("chmod 600 '\(file)'") == true, "\(String(describing: error))")
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
            #expect(try CertificateAuthority.stored(in: folder).certificate == authority.certificate)
        }

        @Test(arguments: [0o777, 0o770, 0o720, 0o702, 0o1777])
        func `a key in a folder that other users can change is refused`(mode: Int) throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            _ = try CertificateAuthority.stored(in: folder)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
            let error = #expect(throws: RelayError.self) { try CertificateAuthority.stored(in: folder) }
            #expect(error?.message.contains("chmod 700 '\(folder.path)'") == true, "\(String(describing: error))")
        }

        @Test func `a symbolic link in place of the key is not followed`() throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let other = folder.appendingPathComponent("other")
            _ = try CertificateAuthority.stored(in: other)
            let file = folder.appendingPathComponent("authority.pem").path
            let targets = [other.appendingPathComponent("authority.pem").path, folder.path + "/missing"]
            for target in targets {
                try? FileManager.default.removeItem(atPath: file)
                try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
                let error = #expect(throws: RelayError.self) { try CertificateAuthority.stored(in: folder) }
                #expect(error?.message.contains("symbolic link") == true, "\(String(describing: error))")
            }
            #expect(!FileManager.default.fileExists(atPath: targets[1]))
        }

        @Test func `a folder that cannot be created is an error`() {
            #expect(throws: RelayError.self) {
                try CertificateAuthority.stored(in: URL(fileURLWithPath: "/dev/null/relay"))
            }
        }
    }
#endif
