import Foundation

extension URLError.Code {
    /// The name of the code in Swift; that of an unknown error for one without a name.
    var swiftName: String { Self.names[self] ?? "unknown" }

    private static let names: [URLError.Code: String] = [
        .appTransportSecurityRequiresSecureConnection: "appTransportSecurityRequiresSecureConnection",
        .backgroundSessionInUseByAnotherProcess: "backgroundSessionInUseByAnotherProcess",
        .backgroundSessionWasDisconnected: "backgroundSessionWasDisconnected", .badServerResponse: "badServerResponse",
        .badURL: "badURL", .callIsActive: "callIsActive", .cancelled: "cancelled",
        .cannotCloseFile: "cannotCloseFile", .cannotConnectToHost: "cannotConnectToHost",
        .cannotCreateFile: "cannotCreateFile", .cannotDecodeContentData: "cannotDecodeContentData",
        .cannotDecodeRawData: "cannotDecodeRawData", .cannotFindHost: "cannotFindHost",
        .cannotLoadFromNetwork: "cannotLoadFromNetwork", .cannotMoveFile: "cannotMoveFile",
        .cannotOpenFile: "cannotOpenFile", .cannotParseResponse: "cannotParseResponse",
        .cannotRemoveFile: "cannotRemoveFile", .cannotWriteToFile: "cannotWriteToFile",
        .clientCertificateRejected: "clientCertificateRejected",
        .clientCertificateRequired: "clientCertificateRequired",
        .dataLengthExceedsMaximum: "dataLengthExceedsMaximum", .dataNotAllowed: "dataNotAllowed",
        .dnsLookupFailed: "dnsLookupFailed", .fileDoesNotExist: "fileDoesNotExist",
        .fileIsDirectory: "fileIsDirectory", .httpTooManyRedirects: "httpTooManyRedirects",
        .internationalRoamingOff: "internationalRoamingOff", .networkConnectionLost: "networkConnectionLost",
        .noPermissionsToReadFile: "noPermissionsToReadFile", .notConnectedToInternet: "notConnectedToInternet",
        .redirectToNonExistentLocation: "redirectToNonExistentLocation",
        .requestBodyStreamExhausted: "requestBodyStreamExhausted", .resourceUnavailable: "resourceUnavailable",
        .secureConnectionFailed: "secureConnectionFailed",
        .serverCertificateHasBadDate: "serverCertificateHasBadDate",
        .serverCertificateHasUnknownRoot: "serverCertificateHasUnknownRoot",
        .serverCertificateNotYetValid: "serverCertificateNotYetValid",
        .serverCertificateUntrusted: "serverCertificateUntrusted", .timedOut: "timedOut",
        .unsupportedURL: "unsupportedURL", .userAuthenticationRequired: "userAuthenticationRequired",
        .userCancelledAuthentication: "userCancelledAuthentication", .zeroByteResource: "zeroByteResource",
    ]
}
