/// The words that indicate whether a name belongs to a secret.
///
/// Sources:
/// - the data to exclude from logs according to OWASP
///   (https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html#data-to-exclude);
/// - the names that other tools remove, which `SecretNamesTests` also checks: Cloudflare's HAR sanitizer
///   (`defaultWordList`, https://github.com/cloudflare/har-sanitizer), Rails (`filter_parameters`,
///   https://guides.rubyonrails.org/configuring.html#config-filter-parameters) and Django (`hidden_settings`,
///   https://docs.djangoproject.com/en/stable/howto/error-reporting/);
/// - the OAuth Parameters registry (https://www.iana.org/assignments/oauth-parameters), RFC 7636 and RFC 8628;
/// - the documentation of services: AWS, Azure, Google Cloud, HashiCorp Vault, GitLab, Spring, Django, PHP, ASP.NET and
///   Java servlets.
///
/// Terms are written without separators: `apikey` also matches `api_key`, `X-Api-Key` and `apiKey`. For how names are
/// compared, see ``SecretNames``.
enum SecretWords {
    /// Terms that indicate a secret anywhere in a name, such as `password` in `new_password_2`.
    static let anywhere = set(
        """
        password passwords passwd passwds passphrase passphrases passcode passcodes secret secrets secretkey apikey
        apikeys privatekey clientsecret csrfmiddlewaretoken accesstoken refreshtoken idtoken sessiontoken authtoken
        bearertoken apitoken masterkey encryptionkey signingkey recoverycode recoverycodes backupcode backupcodes
        """)

    /// Terms that indicate a secret at the end of a name: `token` in `X-Vault-Token`, but not in `token_endpoint`.
    static let atEnd = set(
        """
        token authorization pwd pw pass pin pincode otp totp hotp onetimepassword csrf xsrf jwt hmac sig signature
        signatures credential assertion cvc cvv csc cvn ssn socialsecuritynumber cardnumber creditcardnumber ccnumber
        accesskey secretaccesskey appkey authkey consumerkey functionskey sharedkey subscriptionkey accountkey
        sessionkey servicekey licensekey sshkey deploykey recoverykey backupkey webhookkey integrationkey storagekey
        authcode authorizationcode verificationcode securitycode smscode otpcode mfacode tfacode totpcode devicecode
        onetimecode activationcode resetcode logincode accesscode cardcode cvvcode twofactorcode codeverifier
        oauthverifier clientassertion samlresponse samlassertion samlart setcookie sessionid sessid jsessionid phpsessid
        aspsessionid connectsid expresssid sessionsid usersid cfid passkey securityanswer mnemonic seedphrase
        nonce cnonce nextnonce cfchltk cfchlftk cfchlrttk cfclearance cfbm cfuvid recoveryphrase connectionstring
        connstring viewstatemac authtkt sessionticket authticket servicetoken idtokenhint
        loginticket passwordanswer accountpin githubpat gitlabpat applicationkey rapidapikey servicerolekey presharedkey
        psk walletkey captcharesponse recaptcharesponse turnstileresponse unlockcode doorcode 2facode
        """)

    /// Terms that indicate a secret at the end of a name if the value looks random.
    static let likelyAtEnd = set("auth bearer credentials tokens authtag authdata authinfo usersession")

    /// Complete names that indicate a secret if the value looks random.
    static let likelyAlone = set("code cookie key keys session sess ticket salt creds")

    /// Complete names that indicate a secret even though their last word is too common to be a term.
    static let alone = set("sid sessid cookie2 setcookie setcookie2 secretid twofa mfa")

    /// Words before `pass` that make it a password, as in `user_pass` but not in `boarding_pass`.
    static let beforePass = set(
        """
        account admin app auth basic cert confirm current database db email ftp hash http imap key keystore ldap login
        mail my mysql new old pg pop postgres proxy redis repeat retype root rpc smtp sql ssh ssl store sudo truststore
        user username web wifi wpa
        """)

    /// Complete names that end with a term but do not indicate a secret, such as map pins, list cursors, and parameters
    /// that contain the name of another parameter.
    static let harmless = set(
        """
        mappin pushpin droppin gpiopin bowlingpin nextpagetoken pagetoken nexttoken previoustoken
        prevpagetoken continuationtoken paginationtoken nextsynctoken synctoken csrfheader csrfparam csrfparameter
        xsrfheader bostoken eostoken padtoken unktoken masktoken septoken clstoken stoptoken starttoken endtoken
        specialtoken timetofirsttoken designtoken designtokens locationpin methodsignature functionsignature typesignature timesignature keysignature
        """)

    /// Words before a term that turn the name into a statement about a secret: `has_password`, `max_tokens`.
    static let statements = set(
        """
        allow allowed allows can completion count disable disabled enable enabled forgot forgotten has have hide include is max
        maximum min minimum must need needs no non num prompt require required requires should show supports toggle total use uses was
        with without
        """)

    /// Words after a term that turn the name into a property of a secret: `token_type`, `password_length`,
    /// `passwordResetUrl`.
    static let properties = set(
        """
        address age alg algo algorithm algorithms allowed at attempt attempts audience autocomplete balance box budget
        button category change changed charset class column cost count counter counts created date days decimals
        description dialect disabled displayed duration enabled encoding endpoint endpoints entropy error errors exists
        expiration expire expired expires expiresin expiry exp failed failures file filename flow form format forgot
        forgotten generator group grant help hint hints host href icon id ids image in index info input invalid issued
        issuer kind label labels language last left length len level lifetime limit limits line link list location
        manager max maximum message messages meta metadata method methods min minimum missing mode modified name names
        note notice on option options order owner page param parameter params path pattern period placeholder policies
        policy port position prefix present price prices provider providers question questions quota rate reader
        recovery regex remaining required requirement requirements reset retries rotated rotation route rule rules scheme
        schema scope scopes score screen server service set settings shown size source standard start state status store
        strategy strength suffix supply supported symbol symbols table template test text time timeout title toggle tries
        ttl type types until updated uri uris url urls usage usages used valid validation validator validity version
        visible visibility width
        """)

    /// Words after a term that do not change the meaning: `token_value`, `password_confirmation`, `password_hash`.
    static let neutral = set(
        """
        again base b64 check cipher confirm confirmation confirmed current decrypted digest encoded encrypted field
        first hash hashed header hex hidden key md new number old original plain raw readonly repeat repeated retype salt second
        sha str string val value verification verify
        """)

    /// Additional words that occur in compounds without separators, such as `accesstoken` and `dbpassword`.
    static let others = set(
        """
        access account admin amz anti api app application auth aws azure bearer bot card cc client code cookie credit
        csp csrf db debit default deploy device email fcm firebase forgery ftp github gitlab google http https identity
        integration invite jwt key keystore ldap legacy license login mail master member merchant middleware mongo my
        mysql oauth one payment personal pg php postgres private project proxy public push redis refresh registration
        remember me repo request root rpc rsa saml secure security server session share shared sign signing site slack
        smtp sql ssh ssl sso stripe super sudo telegram temp temporary tls tmp twilio two up user vault vpn web webhook
        wifi workspace wp xsrf x amazon bank data event host job mobile net team tenant
        """)

    /// Names that are also ordinary words, so the following word might not be a secret, as in `Password: required`.
    static let ofLanguage = set(
        """
        auth authorization code cookie credential credentials key nonce pass passcode passphrase password passwords pin
        secret secrets session signature signatures ticket token tokens
        """)

    /// Words in path segments that precede a token, as in `/password-reset/5f3c…` and `/accept-invite/5f3c…`.
    static let beforeTokens = set(
        """
        activate activation confirm confirmation forgot invitation invitations invite invites join login magic magiclink
        recover recovery reset resets signin unlock unsubscribe verification verify
        """)

    /// Splits a list at whitespace.
    private static func set(_ words: String) -> Set<[UInt8]> {
        Set(words.utf8.split { $0.isBlank }.map { Array($0) })
    }
}
