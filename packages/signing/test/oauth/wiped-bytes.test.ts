import { describe, expect, test } from 'vitest'
import {
  hmacKey,
  type Parameter,
  parseAuthorizationHeader,
  signOAuth,
  signOAuthAsync,
  type VerifyOAuthInput,
  verifyOAuth,
  verifyOAuthAsync,
} from '../../src/index.ts'
import { releaseScratch, type ScratchBuffer, takeScratch } from '../../src/oauth/scratch-buffer.ts'
import { hmac, protocol, signable, timestamp } from './requests.ts'

const CARD: Parameter = ['card', '4111111111111111']
const input = { ...hmac, ...signable, ...protocol, parameters: [...signable.parameters, CARD] }

/** How the work ends. It has to return both stored loans, with nothing left in them. */
async function bringsBack(work: () => unknown): Promise<unknown> {
  const lent = [takeScratch(0), takeScratch(0)]
  for (const each of lent) releaseScratch({ ...each, end: each.bytes.length })
  const kept = [takeScratch(0), takeScratch(0)]
  for (const each of kept) releaseScratch(each)
  const ended = await (async () => await work())().catch((error: unknown) => error)
  const after: ScratchBuffer[] = [takeScratch(0), takeScratch(0)]
  // Not by their contents, because Vitest takes half a minute to print a difference between so many bytes.
  expect(kept.every((each) => after.includes(each))).toBe(true)
  for (const { bytes } of after) expect(bytes.every((byte) => byte === 0)).toBe(true)
  for (const each of after) releaseScratch(each)
  return ended
}

function received(body: string): VerifyOAuthInput {
  const parsed = parseAuthorizationHeader(signOAuth(input).authorization)
  if (!parsed.ok) throw new Error(parsed.message)
  const { httpMethod, url } = signable
  return { ...hmac, httpMethod, url, header: parsed.header, now: timestamp, body }
}

const { body } = signOAuth(input)
const another = { method: 'HMAC-SHA1', key: hmacKey('other') } as const
const repeated: Parameter[] = [CARD, ['card', '4012888888881881']]

const signed = { body: expect.any(String) }
const refused = { code: 'BAD_TEXT' }
const untyped = { code: 'BAD_ARGUMENT' }
const fits = { ok: true }
const wrong = { reason: 'wrong-signature' }

describe('the buffer in which a request was encoded is wiped, and used again', () => {
  test.for([
    ['a signature', () => signOAuth(input), signed],
    ['a signature of a repeated name', () => signOAuth({ ...input, parameters: repeated }), signed],
    [
      'a value that is left to the plain path',
      () => signOAuth({ ...input, parameters: [CARD, ['a', 'b'.repeat(2000)]] }),
      signed,
    ],
    ['a value without a UTF-8 form', () => signOAuth({ ...input, parameters: [CARD, ['d', '\ud800']] }), refused],
    ['a value that is no text', () => signOAuth({ ...input, parameters: [CARD, ['d', 1 as never]] }), untyped],
    ['a query', () => signOAuth({ ...input, url: `${input.url}?card=4111111111111111` }), signed],
    ['an asynchronous signature', () => signOAuthAsync(input), signed],
    ['a key of another kind', () => signOAuth({ ...input, key: {} as never }), { code: 'BAD_KEY' }],
    ['a verdict', () => verifyOAuth(received(body)), fits],
    ['an asynchronous verdict', () => verifyOAuthAsync(received(body)), fits],
    ['a verdict with another key', () => verifyOAuth({ ...received(body), ...another }), wrong],
    ['a body that is not canonical', () => verifyOAuth(received(`${body}&`)), fits],
    [
      'a body that is not canonical in its middle',
      () => verifyOAuth(received(body.replace('card=4', 'card=%34'))),
      fits,
    ],
    ['a body beyond ASCII', () => verifyOAuth(received(body.replace('card=', 'card=é'))), { ok: false }],
  ] as const)('after %s', async ([, work, outcome]) => {
    expect(await bringsBack(work)).toMatchObject(outcome)
  })
})
