import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const METHODS = {
  rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  ec: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
} as const

/** A certificate of KSeF with its key, both as PEM. */
export interface KeyPair {
  certificate: string
  privateKey: string
}

const digest = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('base64')

/** SHA-256 with the key: RSA as PKCS #1 1.5, of elliptic curves r and s one after another. */
function signed(text: string, key: ReturnType<typeof createPrivateKey>): string {
  const options = key.asymmetricKeyType === 'ec' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : { key }
  return sign('sha256', Buffer.from(text), options).toString('base64')
}

/**
 * A request to sign in, signed as XAdES (BASELINE-B, enveloped). All of it is written in the form that exclusive
 * canonicalisation would give: one namespace at each element that first needs it, no empty tags, no white space; so
 * what is hashed is what is written, and no reader of XML is needed. `challenge` and `nip` hold no sign that XML would
 * escape.
 */
export function signedAuthRequest(
  { challenge, nip }: { challenge: string; nip: string },
  { certificate, privateKey }: KeyPair,
  now: Date,
): string {
  if (!/^[A-Z0-9-]{1,60}$/.test(challenge) || !/^\d{10}$/.test(nip)) throw new Error('no challenge of KSeF, or no NIP')
  const { raw } = new X509Certificate(certificate)
  const key = createPrivateKey(privateKey)
  const body =
    `<Challenge>${challenge}</Challenge><ContextIdentifier><Nip>${nip}</Nip></ContextIdentifier>` +
    '<SubjectIdentifierType>certificateSubject</SubjectIdentifierType>'
  const opening = '<AuthTokenRequest xmlns="http://ksef.mf.gov.pl/auth/token/2.0">'
  const method = `<ds:DigestMethod xmlns:ds="${DS}" Algorithm="${SHA256}"></ds:DigestMethod>`
  const properties =
    `<xades:SignedProperties xmlns:xades="${XADES}" Id="signed-properties"><xades:SignedSignatureProperties>` +
    `<xades:SigningTime>${now.toISOString().slice(0, 19)}Z</xades:SigningTime>` +
    `<xades:SigningCertificateV2><xades:Cert><xades:CertDigest>${method}` +
    `<ds:DigestValue xmlns:ds="${DS}">${digest(raw)}</ds:DigestValue></xades:CertDigest></xades:Cert>` +
    '</xades:SigningCertificateV2></xades:SignedSignatureProperties></xades:SignedProperties>'
  const reference = (attributes: string, transforms: readonly string[], value: string) =>
    `<ds:Reference ${attributes}><ds:Transforms>` +
    transforms.map((one) => `<ds:Transform Algorithm="${one}"></ds:Transform>`).join('') +
    `</ds:Transforms><ds:DigestMethod Algorithm="${SHA256}"></ds:DigestMethod>` +
    `<ds:DigestValue>${value}</ds:DigestValue></ds:Reference>`
  const signatureMethod = key.asymmetricKeyType === 'ec' ? METHODS.ec : METHODS.rsa
  const info =
    `<ds:SignedInfo xmlns:ds="${DS}"><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${signatureMethod}"></ds:SignatureMethod>` +
    reference('URI=""', [`${DS}enveloped-signature`, EXCLUSIVE], digest(`${opening}${body}</AuthTokenRequest>`)) +
    reference(
      'Type="http://uri.etsi.org/01903#SignedProperties" URI="#signed-properties"',
      [EXCLUSIVE],
      digest(properties),
    ) +
    '</ds:SignedInfo>'
  return (
    `${opening}${body}<ds:Signature xmlns:ds="${DS}" Id="signature">${info}` +
    `<ds:SignatureValue>${signed(info, key)}</ds:SignatureValue>` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${raw.toString('base64')}</ds:X509Certificate></ds:X509Data>` +
    '</ds:KeyInfo>' +
    `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#signature">${properties}` +
    '</xades:QualifyingProperties></ds:Object></ds:Signature></AuthTokenRequest>'
  )
}
