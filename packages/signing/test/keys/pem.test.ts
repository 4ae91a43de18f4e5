import { describe, expect, test } from 'vitest'
import { type KeyHalf, requirePem } from '../../src/keys/pem.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const block = (label: string, first = '') => `-----BEGIN ${label}-----\n${first}AAAA\n-----END ${label}-----\n`

const DECRYPT = /^this cannot be the RSA private key: it is encrypted.*decrypt it where it is kept \(openssl pkey /
const CONVERT = /it is in the OpenSSH format.*ssh-keygen -p -m PEM/
const NOT_RSA = /it is not an RSA key: make one with openssl genpkey -algorithm RSA/
const CERTIFICATE = /it is a certificate: take the public key out of it \(openssl x509 .*-pubkey\)/
const GIVEN_PUBLIC = /^this cannot be the RSA private key: it is a public key, and signing needs the private one/
const GIVEN_PRIVATE = /^this cannot be the RSA public key: it is a private key.*openssl pkey .*-pubout/

/** Labels of RFC 7468, of OpenSSL and of OpenSSH, and the error where the private or the public key is wanted, if any. */
const LABELS: readonly (readonly [label: string, asPrivate: RegExp | undefined, asPublic: RegExp | undefined])[] = [
  ['PRIVATE KEY', undefined, GIVEN_PRIVATE],
  ['RSA PRIVATE KEY', undefined, GIVEN_PRIVATE],
  ['PUBLIC KEY', GIVEN_PUBLIC, undefined],
  ['RSA PUBLIC KEY', GIVEN_PUBLIC, undefined],
  ['ENCRYPTED PRIVATE KEY', DECRYPT, GIVEN_PRIVATE],
  ['OPENSSH PRIVATE KEY', CONVERT, GIVEN_PRIVATE],
  ['EC PRIVATE KEY', NOT_RSA, GIVEN_PRIVATE],
  ['EC PARAMETERS', NOT_RSA, NOT_RSA],
  ['DSA PRIVATE KEY', NOT_RSA, GIVEN_PRIVATE],
  ['CERTIFICATE', CERTIFICATE, CERTIFICATE],
  ['TRUSTED CERTIFICATE', CERTIFICATE, CERTIFICATE],
  ['X509 CERTIFICATE', CERTIFICATE, CERTIFICATE],
]

function problem(pem: string, half: KeyHalf): string {
  const error = catchSigningError(() => requirePem(pem, half))
  expect(error.code).toBe('BAD_KEY')
  return error.message
}

describe('requirePem', () => {
  test.for(LABELS)('says what %s is wherever it cannot be the key', ([label, asPrivate, asPublic]) => {
    for (const [half, says] of [
      ['private', asPrivate],
      ['public', asPublic],
    ] as const) {
      if (says === undefined) expect(() => requirePem(block(label), half)).not.toThrow()
      else expect(problem(block(label), half)).toMatch(says)
    }
  })

  test('says how the PEM of the wanted key begins', () => {
    expect(problem('x', 'private')).toMatch(/not PEM: such a text begins with a line like -----BEGIN PRIVATE KEY-----$/)
    expect(problem('x', 'public')).toMatch(/not PEM: such a text begins with a line like -----BEGIN PUBLIC KEY-----$/)
    expect(problem('-----BEGIN -----', 'public')).toMatch(/it is not PEM/)
    expect(problem('-----BEGIN private key-----', 'private')).toMatch(/it is not PEM/)
  })

  test('refuses a label that is not one of a key', () => {
    expect(problem(block('PKCS7'), 'public')).toMatch(/not one of a key: expected PKCS#8, PKCS#1 or SPKI$/)
  })

  test('accepts one block only', () => {
    expect(problem(block('PUBLIC KEY') + block('PUBLIC KEY'), 'public')).toMatch(
      /more than one PEM block: give the key/,
    )
  })

  test('says what a text of another kind is', () => {
    for (const [text, says] of [
      ['', /it is empty: check that its setting is present$/],
      ['[secret]', /it is a key that was printed.* reveal\(\)/],
      ['RsaPrivateKey [masked]', /it is a key that was printed/],
      [new TextDecoder().decode(Uint8Array.of(0x30, 0x82, 0x04, 0xbe)), /DER file, read as a text.*-inform DER/],
      ['ssh-rsa AAAAB3NzaC1yc2E= shop', /OpenSSH format: convert it \(ssh-keygen -e -m PKCS8/],
      ['PuTTY-User-Key-File-3: ssh-rsa', /key of PuTTY/],
      ['{"kty":"RSA","n":"AQAB"}', /it is a JWK/],
      ['\u2014\u2014BEGIN PRIVATE KEY\u2014\u2014', /first line is damaged.*five hyphens/],
      ['BEGIN PRIVATE KEY', /first line is damaged/],
      ['/etc/shop/key', /name of a file: give what the file holds$/],
      ['keys/shop.pem', /name of a file/],
      ['-----BEGIN PRIVATE KEY-----\nAAAA', /last line is missing: -----END PRIVATE KEY-----$/],
    ] as const) {
      expect(problem(text, 'private')).toMatch(says)
    }
  })

  test('recognizes the encryption of the old format, by the header of RFC 1421 section 4.6.1.1', () => {
    expect(problem(block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\n'), 'private')).toMatch(DECRYPT)
    expect(() => requirePem(block('RSA PRIVATE KEY', 'Comment: Proc-Type: 4,ENCRYPTED\n\n'), 'private')).not.toThrow()
    const onOneLine = block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\n').replaceAll('\n', ' ')
    expect(problem(onOneLine, 'private')).toMatch(DECRYPT)
  })

  test('refuses anything but a text', () => {
    expect(problem(undefined as unknown as string, 'private')).toBe(
      "this cannot be the RSA private key: it is not a text: read its file with 'utf8', or export the key as PEM",
    )
  })
})
