import { SigningError } from '../errors.ts'

/** The half of a key pair that a PEM text has to hold. */
export type KeyHalf = 'private' | 'public'

const BEGIN = /-----BEGIN [A-Z0-9 ]+-----/g
const LEGACY_ENCRYPTION = /^Proc-Type:.*ENCRYPTED/m

const ENCRYPTED =
  'it is encrypted, and this package takes no passphrase: decrypt it where it is kept (openssl pkey -in key.pem -out plain.pem)'
const CERTIFICATE = 'it is a certificate: take the public key out of it (openssl x509 -in cert.pem -noout -pubkey)'
const NOT_RSA = 'it is not an RSA key: make one with openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048'
const PUBLIC = 'it is a public key, and signing needs the private one'
const PRIVATE =
  'it is a private key, and verifying needs only its public half (openssl pkey -in key.pem -pubout): keep the private key with the merchant alone'
const OPENSSH = 'it is in the OpenSSH format: convert a copy of it (ssh-keygen -p -m PEM -f copy-of-key)'

/** For every PEM label that we know, why it does not serve as that half, or `undefined` if it does. */
const LABELS: ReadonlyMap<string, Readonly<Record<KeyHalf, string | undefined>>> = new Map([
  ['PRIVATE KEY', { private: undefined, public: PRIVATE }],
  ['RSA PRIVATE KEY', { private: undefined, public: PRIVATE }],
  ['PUBLIC KEY', { private: PUBLIC, public: undefined }],
  ['RSA PUBLIC KEY', { private: PUBLIC, public: undefined }],
  ['ENCRYPTED PRIVATE KEY', { private: ENCRYPTED, public: PRIVATE }],
  ['OPENSSH PRIVATE KEY', { private: OPENSSH, public: PRIVATE }],
  ['EC PRIVATE KEY', { private: NOT_RSA, public: PRIVATE }],
  ['EC PARAMETERS', { private: NOT_RSA, public: NOT_RSA }],
  ['DSA PRIVATE KEY', { private: NOT_RSA, public: PRIVATE }],
  ['CERTIFICATE', { private: CERTIFICATE, public: CERTIFICATE }],
  ['TRUSTED CERTIFICATE', { private: CERTIFICATE, public: CERTIFICATE }],
  ['X509 CERTIFICATE', { private: CERTIFICATE, public: CERTIFICATE }],
])

/**
 * Lets a PEM text pass only if it holds one block with a label of the wanted half, so that neither half is ever mistaken
 * for the other and nobody verifies with the key of an unchecked certificate.
 *
 * @throws {SigningError} `BAD_KEY`, saying what the text is instead and how to get the right thing from it.
 */
export function requirePem(pem: string, half: KeyHalf): void {
  const problem = pemProblem(pem, half)
  if (problem !== undefined) throw new SigningError('BAD_KEY', `this cannot be the RSA ${half} key: ${problem}`)
}

function pemProblem(pem: string, half: KeyHalf): string | undefined {
  if (typeof pem !== 'string') return 'it is not a text'
  const labels = Array.from(pem.matchAll(BEGIN), ([line]) => line.slice('-----BEGIN '.length, -'-----'.length))
  const [label] = labels
  if (label === undefined) {
    return `it is not PEM: such a text begins with a line like -----BEGIN ${half.toUpperCase()} KEY-----`
  }
  const known = LABELS.get(label)
  if (known === undefined) return 'its PEM label is not one of a key: expected PKCS#8, PKCS#1 or SPKI'
  if (known[half] !== undefined) return known[half]
  if (labels.length > 1) return 'the text holds more than one PEM block: give the key alone'
  if (pem.includes('\\n')) return 'its line breaks are the two characters \\n: put real line breaks in their place'
  return LEGACY_ENCRYPTION.test(pem) ? ENCRYPTED : undefined
}
