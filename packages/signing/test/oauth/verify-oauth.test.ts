import { constants, createHmac, createSign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeParameters,
  hmacKey,
  type Parameter,
  parseAuthorizationHeader,
  rsaPublicKey,
  signatureBaseString,
  signOAuth,
  type VerifyOAuthInput,
  verifyOAuth,
} from '../../src/index.ts'
import type { OAuthHeader, SignableRequest } from '../../src/internal.ts'
import { signedParameters } from '../../src/oauth/oauth-header.ts'
import { normalizeParameters } from '../../src/oauth/parameters.ts'
import type { OAuthSigner, OAuthVerifier } from '../../src/oauth/signature-methods.ts'
import { anyPlainText, anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { keyPair } from '../rsa-key-pair.ts'
import { oauthVectors, rsaPublicKeyPem } from '../vectors.ts'
import {
  hmac,
  oauthPairs,
  protocol,
  rsaSigner,
  rsaVerifier,
  signable,
  signableBaseString,
  timestamp,
} from './requests.ts'

function read(authorization: string): OAuthHeader {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.header
}

const signed = signOAuth({ ...hmac, ...signable, ...protocol })
const header = read(signed.authorization)
const request: SignableRequest & VerifyOAuthInput = { ...hmac, ...signable, header, now: timestamp }
const accepted = { ok: true, consumerKey: 'merchantlogin', nonce: 'y3qlvMPky7g', timestamp }

const rsaHeader = read(signOAuth({ ...rsaSigner, ...signable, ...protocol }).authorization)
const rsaRequest: VerifyOAuthInput = { ...rsaVerifier, ...signable, header: rsaHeader, now: timestamp }
const rsaBaseString = signableBaseString('RSA-SHA256')

/** The request with other values in its header, signed anew with HMAC-SHA1, so that only the value can be at fault. */
function resigned(change: Partial<OAuthHeader>): SignableRequest & VerifyOAuthInput {
  const changed = { ...header, ...change }
  const pairs: Parameter[] = [
    ['oauth_consumer_key', changed.consumerKey],
    ['oauth_nonce', changed.nonce],
    ['oauth_signature_method', changed.signatureMethod],
    ['oauth_timestamp', changed.timestamp],
    ...(changed.token === undefined ? [] : [['oauth_token', changed.token] as const]),
    ...(changed.version === undefined ? [] : [['oauth_version', changed.version] as const]),
  ]
  const baseString = signatureBaseString({ ...signable, parameters: [...signable.parameters, ...pairs] })
  return { ...request, header: { ...changed, signature: hmacSignature(baseString) } }
}

function hmacSignature(baseString: string): string {
  return createHmac('sha1', '11111111-1111-1111-1111-111111111111&').update(baseString).digest('base64')
}

describe('verifyOAuth', () => {
  test.for(oauthVectors)('[S5.2-17] [S5.2-25] [G7.2-01] accepts vector $id with its body as it arrives', (vector) => {
    const parsed = read(vector.authorization)
    const verifier: OAuthVerifier =
      vector.key === 'rsaPublicKeyPem'
        ? { method: 'RSA-SHA256', key: rsaPublicKey(rsaPublicKeyPem) }
        : { method: 'HMAC-SHA1', key: hmacKey(vector.key.slice(0, -1)) }
    const parameters = decodeParameters(vector.body)
    const input = {
      ...verifier,
      header: parsed,
      httpMethod: 'POST',
      url: vector.requestUrl,
      parameters,
      now: timestamp,
    }
    expect(verifyOAuth(input)).toEqual(accepted)
  })

  test('[S5.2-17] verifies RSA-SHA256 with a public key in SPKI and in PKCS#1', () => {
    const pkcs1 = rsaPublicKey(keyPair.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString())
    expect(verifyOAuth(rsaRequest)).toEqual(accepted)
    expect(verifyOAuth({ ...rsaRequest, method: 'RSA-SHA256', key: pkcs1 })).toEqual(accepted)
  })

  test('[S5.2-17] verifies a signature that node:crypto made over the documented base string', () => {
    const signature = createSign('sha256').update(rsaBaseString).sign(keyPair.privateKey, 'base64')
    expect(verifyOAuth({ ...rsaRequest, header: { ...rsaHeader, signature } })).toEqual(accepted)
  })

  describe('with protocol parameters outside the header', () => {
    const withBody = (...more: Parameter[]) => ({ ...request, parameters: [...signable.parameters, ...more] })

    test('[S5.2-09] [G12-12] accepts the five pairs in the body too, and counts each once', () => {
      expect(verifyOAuth(withBody(...oauthPairs(signed)))).toEqual(accepted)
      expect(verifyOAuth(withBody(...oauthPairs(signed).toReversed()))).toEqual(accepted)
    })

    test('[G12-12] accepts a sender that has them in the header alone, or some of them in the body', () => {
      expect(verifyOAuth(request)).toEqual(accepted)
      expect(verifyOAuth(withBody(['oauth_nonce', 'y3qlvMPky7g']))).toEqual(accepted)
    })

    test('[S5.2-09] accepts them in the query under the same rules', () => {
      const query = 'oauth_nonce=y3qlvMPky7g'
      expect(verifyOAuth({ ...request, url: `${signable.url}?${query}` })).toEqual(accepted)
      expect(
        verifyOAuth({ ...withBody(['oauth_nonce', 'y3qlvMPky7g']), url: `${signable.url}?${query}` }),
      ).toMatchObject({
        reason: 'duplicate-parameter',
      })
    })

    test.for([
      ['oauth_consumer_key', 'other'],
      ['oauth_nonce', 'Y3qlvMPky7g'],
      ['oauth_signature_method', 'RSA-SHA256'],
      ['oauth_timestamp', '1669966914'],
      ['oauth_version', '1'],
      ['oauth_nonce', ''],
    ] as const)('[S5.2-09] refuses %s=%s in the body, which is not the value of the header', (pair) => {
      expect(verifyOAuth(withBody(pair))).toEqual({
        ok: false,
        reason: 'parameter-mismatch',
        message: `${pair[0]} outside the header does not equal the header's`,
      })
    })

    test('[S5.2-09] refuses a version in the body that the header lacks', () => {
      const { parameters } = withBody(['oauth_version', '1.0'])
      expect(verifyOAuth({ ...resigned({ version: undefined }), parameters })).toMatchObject({
        reason: 'parameter-mismatch',
      })
    })

    test('[S5.2-09] refuses one of them twice in the body', () => {
      const pair = ['oauth_nonce', 'y3qlvMPky7g'] as const
      expect(verifyOAuth(withBody(pair, pair))).toMatchObject({ ok: false, reason: 'duplicate-parameter' })
    })

    test('[S5.2-10] refuses oauth_signature in the body, even the right one', () => {
      expect(verifyOAuth(withBody(['oauth_signature', header.signature]))).toMatchObject({
        reason: 'signature-in-body',
      })
    })

    test('[F-C10] accepts an empty oauth_token that is signed as it is sent, in the header or in both places', () => {
      const before = signable.parameters
      const own: Parameter = ['oauth_token', '']
      const tokenSent = resigned({ token: '' })
      const { parameters: _, ...bare } = tokenSent
      const business = normalizeParameters(before)
      const both = normalizeParameters([...before, ...signedParameters(tokenSent.header)])
      expect(verifyOAuth(tokenSent)).toEqual(accepted)
      expect(verifyOAuth({ ...tokenSent, parameters: [...before, own] })).toEqual(accepted)
      expect(verifyOAuth({ ...bare, parameters: undefined, body: business })).toEqual(accepted)
      expect(verifyOAuth({ ...bare, parameters: undefined, body: both })).toEqual(accepted)
      const unsigned = { ...request, header: { ...header, token: '' as const } }
      expect(verifyOAuth({ ...unsigned, parameters: before })).toMatchObject({ reason: 'wrong-signature' })
      expect(verifyOAuth({ ...request, parameters: [...before, own] })).toMatchObject({ reason: 'parameter-mismatch' })
      const token = { ...request, header: { ...header, token: 'x' as '' } }
      expect(verifyOAuth(token)).toMatchObject({ reason: 'unknown-parameter' })
    })

    test.for(['oauth_callback', 'oauth_', 'oauth_nonce '])('[S5.2-01] refuses %j in the body', (name) => {
      expect(verifyOAuth(withBody([name, '']))).toMatchObject({ ok: false, reason: 'unknown-parameter' })
    })

    test('accepts a business name that only looks like one of the protocol', () => {
      const parameters: Parameter[] = [
        ['oauthority', '1'],
        ['OAUTH_NONCE', '2'],
        ['realm', '3'],
      ]
      const { authorization } = signOAuth({ ...hmac, ...signable, ...protocol, parameters })
      expect(verifyOAuth({ ...request, header: read(authorization), parameters })).toEqual(accepted)
    })
  })

  describe('with the values of the header', () => {
    test('[S5.2-08] accepts oauth_version absent or 1.0', () => {
      expect(verifyOAuth(resigned({}))).toEqual(accepted)
      expect(verifyOAuth(resigned({ version: undefined }))).toEqual(accepted)
    })

    test.for(['', '1', '1.0a', '2.0', '1.00', ' 1.0'])('[S5.2-08] refuses oauth_version %j', (version) => {
      expect(verifyOAuth(resigned({ version }))).toMatchObject({ ok: false, reason: 'bad-version' })
    })

    test.for([
      '',
      '0',
      '166996691',
      '16699669130',
      '1669966913000',
      '+669966913',
      '1669966913.',
      '1.66996e10',
      '１669966913',
      '166996691a',
      ' 669966913',
      '1669966913\n',
    ])('[S5.2-07] refuses the timestamp %j, which is not ten digits', (text) => {
      expect(verifyOAuth(resigned({ timestamp: text }))).toMatchObject({ ok: false, reason: 'bad-timestamp' })
    })

    test.for([
      [0, undefined, true],
      [300, undefined, true],
      [-300, undefined, true],
      [300.5, undefined, false],
      [301, undefined, false],
      [-301, undefined, false],
      [0, 0, true],
      [1, 0, false],
      [600, 600, true],
      [601, 600, false],
      [1e9, Number.POSITIVE_INFINITY, true],
    ] as const)(
      '[S5.2-07] [G13-04] at %s s from the timestamp, with a window of %s s, accepts the request: %s',
      ([offset, windowSeconds, ok]) => {
        const verdict = verifyOAuth({ ...request, now: timestamp + offset, windowSeconds })
        expect(verdict).toMatchObject(ok ? accepted : { ok: false, reason: 'timestamp-outside-window' })
      },
    )

    test('[G13-04] names the window and the clocks if the timestamp is outside the window', () => {
      expect(verifyOAuth({ ...request, now: 0 })).toMatchObject({
        message: 'oauth_timestamp is more than 300 s from the present: check the clocks of both ends',
      })
    })

    test('[G13-04] accepts a nonce of 128 bytes', () => {
      const nonce = 'é'.repeat(64)
      expect(verifyOAuth(resigned({ nonce }))).toEqual({ ...accepted, nonce })
    })

    test.for(['', `${'é'.repeat(64)}a`, 'a'.repeat(129), 'a\0b'])('[G13-04] refuses the nonce %j', (nonce) => {
      expect(verifyOAuth(resigned({ nonce }))).toMatchObject({ ok: false, reason: 'bad-nonce' })
    })

    test('[S5.2-05] refuses an empty consumer key', () => {
      expect(verifyOAuth(resigned({ consumerKey: '' }))).toMatchObject({ ok: false, reason: 'bad-consumer-key' })
    })

    test('ignores a realm, which is not signed', () => {
      expect(verifyOAuth({ ...request, header: { ...header, realm: 'anything' } })).toEqual(accepted)
    })
  })

  describe('with the method', () => {
    test.for(['RSA-SHA256', 'PLAINTEXT', 'HMAC-SHA256', 'hmac-sha1', ''])(
      '[S5.2-25] [S5.2-27] refuses a request that names %j if the catalogue says HMAC-SHA1',
      (signatureMethod) => {
        expect(verifyOAuth(resigned({ signatureMethod }))).toEqual({
          ok: false,
          reason: 'method-mismatch',
          message: 'oauth_signature_method is not HMAC-SHA1, which this operation requires',
        })
      },
    )

    test('[S5.2-27] refuses a good HMAC-SHA1 request if the catalogue says RSA-SHA256', () => {
      expect(verifyOAuth({ ...rsaRequest, header })).toMatchObject({ ok: false, reason: 'method-mismatch' })
    })

    test.for(['PLAINTEXT', 'HMAC-SHA256', 'toString', ''])('knows no method %j', (method) => {
      const input = { ...request, method } as unknown as VerifyOAuthInput
      expect(catchSigningError(() => verifyOAuth(input)).code).toBe('BAD_ARGUMENT')
    })

    test('refuses a key of the other method if the types are bypassed', () => {
      const swapped = [
        { ...request, key: rsaVerifier.key },
        { ...rsaRequest, key: hmac.key },
        { ...rsaRequest, key: rsaSigner.key },
        { ...request, key: undefined },
      ] as unknown as VerifyOAuthInput[]
      for (const input of swapped) expect(catchSigningError(() => verifyOAuth(input)).code).toBe('BAD_KEY')
    })
  })

  describe('with the signature', () => {
    const withSignature = (signature: string) => verifyOAuth({ ...request, header: { ...header, signature } })

    test.for([
      ['nothing', ''],
      ['no padding', header.signature.slice(0, -1)],
      ['white space', `${header.signature} `],
      ['hexadecimal', Buffer.from(header.signature, 'base64').toString('hex')],
      ['base64url', header.signature.replaceAll('/', '_')],
      ['spare bits that are not zero', header.signature.replace(/E=$/, 'F=')],
      ['19 bytes', Buffer.alloc(19).toString('base64')],
      ['21 bytes', Buffer.alloc(21).toString('base64')],
      ['two signatures', header.signature + header.signature],
      ['a space for a plus sign', 'd IPlITUmPcniwjA7Vckjr6WQeE='],
    ] as const)('refuses %s as malformed', ([, signature]) => {
      expect(withSignature(signature)).toMatchObject({ ok: false, reason: 'malformed-signature' })
    })

    test.for([0, 255, 257, 512])('refuses an RSA signature of %i bytes as malformed', (length) => {
      const signature = Buffer.alloc(length, 1).toString('base64')
      expect(verifyOAuth({ ...rsaRequest, header: { ...rsaHeader, signature } })).toMatchObject({
        ok: false,
        reason: 'malformed-signature',
      })
    })

    test('refuses RSA signatures that no key can make, without throwing', () => {
      for (const fill of [0x00, 0xff]) {
        const signature = Buffer.alloc(256, fill).toString('base64')
        expect(verifyOAuth({ ...rsaRequest, header: { ...rsaHeader, signature } })).toMatchObject({
          ok: false,
          reason: 'wrong-signature',
        })
      }
    })

    test('refuses the right signature for other content or under another key', () => {
      const others = [
        { ...request, httpMethod: 'PUT' },
        { ...request, url: `${signable.url}?a=1` },
        { ...request, url: signable.url.replace('https', 'http') },
        { ...request, url: signable.url.replace('/send', '//send') },
        { ...request, parameters: [] },
        { ...request, parameters: [...signable.parameters, ...signable.parameters.slice(0, 1)] },
        {
          ...request,
          parameters: [
            ['client-order-id', '1234567890'],
            ['sending-card-ref-id', '7654322'],
          ] as const,
        },
        { ...request, header: { ...header, consumerKey: 'other' } },
        { ...request, header: { ...header, nonce: 'other' } },
        { ...request, header: { ...header, timestamp: String(timestamp + 1) } },
        { ...request, header: { ...header, version: undefined } },
        { ...request, method: 'HMAC-SHA1', key: hmacKey('another secret') } as const,
      ]
      for (const input of others) {
        expect(verifyOAuth(input)).toEqual({
          ok: false,
          reason: 'wrong-signature',
          message: 'oauth_signature does not fit the request and the key',
        })
      }
    })

    test('refuses an RSA-PSS signature and one over SHA-1 of the same key', () => {
      const pss = createSign('sha256')
        .update(rsaBaseString)
        .sign({ key: keyPair.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }, 'base64')
      const sha1 = createSign('sha1').update(rsaBaseString).sign(keyPair.privateKey, 'base64')
      for (const signature of [pss, sha1]) {
        expect(verifyOAuth({ ...rsaRequest, header: { ...rsaHeader, signature } })).toMatchObject({
          reason: 'wrong-signature',
        })
      }
    })
  })

  describe('with what a sender controls', () => {
    test.for(['?a=%zz', '?a=%FF', '?é', '/%', '/a b', '/\ud800'])('refuses the URL ending %j as a value', (end) => {
      expect(verifyOAuth({ ...request, url: `${signable.url}${end}` })).toMatchObject({
        ok: false,
        reason: 'malformed-url',
      })
    })

    test.for([
      ['a lone surrogate in a value', [['a', '\ud800']]],
      ['a lone surrogate in a name', [['\udc00', 'a']]],
      ['a value that is not a text', [['a', undefined]]],
    ] as const)('refuses %s as a value', ([, parameters]) => {
      const input = { ...request, parameters: parameters as unknown as Parameter[] }
      expect(verifyOAuth(input)).toMatchObject({ ok: false, reason: 'malformed-parameters' })
    })

    test('never puts a value of the request into a refusal', () => {
      const secret = 'canary-value'
      const verdicts = [
        verifyOAuth({ ...request, parameters: [['oauth_nonce', secret]] }),
        verifyOAuth({ ...request, parameters: [[`oauth_${secret}`, secret]] }),
        verifyOAuth({ ...request, parameters: [['card', secret]] }),
        verifyOAuth(resigned({ signatureMethod: secret })),
        verifyOAuth(resigned({ timestamp: secret })),
        verifyOAuth(resigned({ version: secret })),
        verifyOAuth({ ...request, header: { ...header, signature: secret } }),
        verifyOAuth({ ...request, url: `https://${secret}@a.example/` }),
      ]
      for (const verdict of verdicts) {
        expect(verdict.ok).toBe(false)
        expect(JSON.stringify(verdict)).not.toContain(secret)
      }
    })
  })

  test('checks in a fixed order: body, version, timestamp, nonce, method, signature', () => {
    const faults = [
      { change: {}, parameters: [['oauth_callback', '']], reason: 'unknown-parameter' },
      { change: { version: '2.0' }, parameters: [], reason: 'bad-version' },
      { change: { timestamp: '0000000000' }, parameters: [], reason: 'timestamp-outside-window' },
      { change: { nonce: '' }, parameters: [], reason: 'bad-nonce' },
      { change: { signatureMethod: 'PLAINTEXT' }, parameters: [], reason: 'method-mismatch' },
      { change: { signature: '' }, parameters: [], reason: 'malformed-signature' },
    ] as const
    for (const [first, { reason }] of faults.entries()) {
      const rest = faults.slice(first)
      const changed = Object.assign({ ...header }, ...rest.map(({ change }) => change)) as OAuthHeader
      const parameters = [...signable.parameters, ...rest.flatMap((fault) => fault.parameters)]
      expect(verifyOAuth({ ...request, header: changed, parameters })).toMatchObject({ ok: false, reason })
    }
  })

  test.for([
    ['now', { now: Number.NaN }],
    ['now', { now: Number.POSITIVE_INFINITY }],
    ['now', { now: undefined as unknown as number }],
    ['windowSeconds', { windowSeconds: -1 }],
    ['windowSeconds', { windowSeconds: Number.NaN }],
    ['httpMethod', { httpMethod: '' }],
  ] as const)('refuses an unusable %s of its caller: %j', ([name, change]) => {
    const error = catchSigningError(() => verifyOAuth({ ...request, ...change }))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toContain(name)
  })

  const ends: readonly (readonly [OAuthSigner, OAuthVerifier])[] = [
    [hmac, hmac],
    [rsaSigner, rsaVerifier],
  ]

  describe.for(ends)('with $0.method', ([signer, verifier]) => {
    const text = anyText()
    const business = fc.tuple(text, text).filter(([name]) => !name.startsWith('oauth_'))
    const parameters = fc.array(business, { maxLength: 8 })
    const nonce = anyPlainText(16).map((text) => `n${text}`)

    test('[S5.2-09] [S5.2-25] accepts whatever signOAuth signs, with and without copies in the body', () => {
      fc.assert(
        fc.property(parameters, nonce, fc.boolean(), (pairs, anyNonce, copied) => {
          const made = signOAuth({ ...signer, ...signable, ...protocol, nonce: anyNonce, parameters: pairs })
          const received = copied ? [...oauthPairs(made), ...pairs] : pairs
          const input = {
            ...verifier,
            ...signable,
            header: read(made.authorization),
            parameters: received,
            now: timestamp,
          }
          expect(verifyOAuth(input)).toEqual({ ...accepted, nonce: anyNonce })
        }),
      )
    })

    test('refuses a signature with any one bit or character changed', () => {
      const made = read(signOAuth({ ...signer, ...signable, ...protocol }).authorization)
      const bytes = Buffer.from(made.signature, 'base64')
      const refused = (signature: string) => {
        const verdict = verifyOAuth({ ...verifier, ...signable, header: { ...made, signature }, now: timestamp })
        expect(verdict.ok).toBe(false)
      }
      fc.assert(
        fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
          const flipped = Buffer.from(bytes)
          flipped[at] = bytes.readUInt8(at) ^ (1 << bit)
          refused(flipped.toString('base64'))
        }),
      )
      fc.assert(
        fc.property(fc.nat({ max: made.signature.length - 1 }), fc.string({ maxLength: 2 }), (at, other) => {
          fc.pre(other !== made.signature.charAt(at))
          refused(made.signature.slice(0, at) + other + made.signature.slice(at + 1))
        }),
      )
    })
  })
})
