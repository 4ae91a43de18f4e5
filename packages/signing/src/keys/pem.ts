import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SigningError } from '../errors.ts'

/** The half of a key pair that a PEM text has to hold. */
export type KeyHalf = 'private' | 'public'

/** The header that comes first (RFC 1421 section 4.6.1.1), also if all is on one line. */
const LEGACY_ENCRYPTION = /-----\s{1,8}Proc-Type:[^\n]{0,40}ENCRYPTED/
const BEGIN = /-----BEGIN [A-Z0-9 ]+-----/g

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

/** Texts of other kinds that are taken for a key, and what to do about them. The printed ones are of `Secret` and of our keys. */
const OTHER_TEXTS: readonly (readonly [looks: RegExp, problem: string])[] = [
  [/^$/, 'it is empty: check that its setting is present'],
  [
    /^(?:\[secret\]|\w+ \[masked\])$/,
    'it is a key that was printed, which hides it: give the text that its reveal() returns',
  ],
  [
    /^0[\u0080-\uffff]/,
    'it is a DER file, read as a text: convert it (openssl pkey -inform DER -in key.der -out key.pem)',
  ],
  [/^ssh-rsa /, 'it is in the OpenSSH format: convert it (ssh-keygen -e -m PKCS8 -f key.pub)'],
  [/^PuTTY-User-Key-File-/, 'it is a key of PuTTY: export it in the OpenSSH format, and convert that'],
  [/^\{.*"kty"/s, 'it is a JWK: export it as PEM (createPrivateKey({ key, format: "jwk" }).export of node:crypto)'],
  [/BEGIN\s[A-Z0-9\s]{0,40}KEY/, 'its first line is damaged: it begins and ends with five hyphens each'],
  [
    /^(?:\.{0,2}[/\\]|~|[A-Za-z]:\\|file:)|\.(?:pem|key|pub|der|crt|cer)$/,
    'it is the name of a file: give what the file holds',
  ],
]

/**
 * The PEM of the wanted half, in lines of its own. Settings rarely keep a text of many lines as it was: it arrives on one line,
 * indented, quoted, with its line breaks as `\n`, in base64 once more, or without its first and last line.
 *
 * Passes only one block with a label of the wanted half, so that neither half is ever mistaken for the other and nobody
 * verifies with the key of an unchecked certificate.
 *
 * @throws {SigningError} `BAD_KEY`, saying what the text is instead and how to get the right thing from it.
 */
export function requirePem(text: string, half: KeyHalf): string {
  const pem = typeof text === 'string' ? inLines(text) : text
  const problem = pemProblem(pem, half)
  if (problem !== undefined) throw new SigningError('BAD_KEY', `this cannot be the RSA ${half} key: ${problem}`)
  return pem
}

/** A PEM text with its own line breaks again, whatever a setting did to it. Others are returned as they are, trimmed. */
export function inLines(text: string): string {
  const plain = unquoted(text.replaceAll(/\\{1,4}r(?=\\{1,4}n)|\\{1,4}(?=\s)/g, '').replaceAll(/\\{1,4}[nr]/g, '\n'))
  const body = base64Of(plain)
  if (body !== undefined) return withoutArmour(Buffer.from(body, 'base64')) ?? plain
  const parts = plain.split('-----')
  for (const [index, part] of parts.entries()) {
    const inner = base64Of(parts[index + 1] ?? '')
    const isBlock = part.startsWith('BEGIN ') && parts[index + 2] === part.replace('BEGIN', 'END')
    if (isBlock && inner !== undefined) parts[index + 1] = `\n${lined(inner)}\n`
  }
  return parts.join('-----')
}

function unquoted(text: string): string {
  const isPadding = (at: number) => /[\s"'`\\]/.test(text.charAt(at))
  let [start, end] = [0, text.length]
  while (start < end && isPadding(start)) start++
  while (end > start && isPadding(end - 1)) end--
  return text.slice(start, end)
}

/** What base64 is left without white space and what cannot be seen, or none if there is anything else. */
function base64Of(text: string): string | undefined {
  const packed = text.replaceAll(/[\s\u200b-\u200d\u2060]+/g, '')
  return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(packed) ? packed : undefined
}

function armoured(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${lined(base64)}\n-----END ${label}-----\n`
}

function lined(base64: string): string {
  return base64.replaceAll(/.{64}(?=.)/g, '$&\n')
}

/** The forms of a key in DER, each with the label that it has in PEM. */
const FORMS: readonly (readonly [label: string, read: (der: Buffer) => KeyObject])[] = [
  ['PRIVATE KEY', (key) => createPrivateKey({ key, format: 'der', type: 'pkcs8' })],
  ['RSA PRIVATE KEY', (key) => createPrivateKey({ key, format: 'der', type: 'pkcs1' })],
  ['PUBLIC KEY', (key) => createPublicKey({ key, format: 'der', type: 'spki' })],
  ['RSA PUBLIC KEY', (key) => createPublicKey({ key, format: 'der', type: 'pkcs1' })],
]

/** What a base64 alone holds: a whole PEM file, as secret stores keep it, or the DER of a key. */
function withoutArmour(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1').trim()
  if (text.startsWith('-----BEGIN ')) return inLines(text)
  for (const [label, read] of FORMS) {
    try {
      read(bytes)
      return armoured(label, bytes.toString('base64'))
    } catch {
      // Not this form. What none reads is told as no PEM.
    }
  }
  return undefined
}

function pemProblem(pem: string, half: KeyHalf): string | undefined {
  if (typeof pem !== 'string') return "it is not a text: read its file with 'utf8', or export the key as PEM"
  const labels = Array.from(pem.matchAll(BEGIN), ([line]) => line.slice('-----BEGIN '.length, -'-----'.length))
  const [label] = labels
  if (label === undefined) {
    const other = OTHER_TEXTS.find(([looks]) => looks.test(pem))?.[1]
    return other ?? `it is not PEM: such a text begins with a line like -----BEGIN ${half.toUpperCase()} KEY-----`
  }
  const known = LABELS.get(label)
  if (known === undefined) return 'its PEM label is not one of a key: expected PKCS#8, PKCS#1 or SPKI'
  if (known[half] !== undefined) return known[half]
  if (labels.length > 1) return 'the text holds more than one PEM block: give the key alone'
  if (LEGACY_ENCRYPTION.test(pem)) return ENCRYPTED
  return pem.includes(`-----END ${label}-----`) ? undefined : `its last line is missing: -----END ${label}-----`
}

/** Stated by the specification: at least 2048 bits. */
const MIN_MODULUS_BITS = 2048
/** Our bound: verifying with an absurdly long key is a way to keep a server busy. */
const MAX_MODULUS_BITS = 8192

/**
 * Lets only a plain RSA key of 2048 to 8192 bits pass, and returns the length of its signatures in bytes.
 *
 * @throws {SigningError} `BAD_KEY` for RSA-PSS, elliptic curves and every other kind, for a modulus outside the bounds,
 *   and for a public exponent that is even or 1 (under which anyone can make signatures).
 * @see Specification parts 5.2 and 8 (at least 2048 bits)
 */
export function requireRsa(key: KeyObject): number {
  if (key.asymmetricKeyType !== 'rsa') {
    const kind = String(key.asymmetricKeyType)
    throw new SigningError('BAD_KEY', `this is a key of type ${kind}; RSA-SHA256 takes a plain RSA key (type rsa)`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits === undefined || bits < MIN_MODULUS_BITS || bits > MAX_MODULUS_BITS) {
    const range = `${MIN_MODULUS_BITS} to ${MAX_MODULUS_BITS} bits`
    throw new SigningError('BAD_KEY', `the RSA modulus has ${bits} bits, allowed are ${range}: make a new key pair`)
  }
  const exponent = key.asymmetricKeyDetails?.publicExponent
  if (exponent === undefined || exponent < 3n || exponent % 2n === 0n) {
    throw new SigningError('BAD_KEY', 'the public exponent of the RSA key is unsafe: make a new key pair')
  }
  return Math.ceil(bits / 8)
}
