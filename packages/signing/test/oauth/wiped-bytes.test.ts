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
import { type LentBytes, lendBytes, returnBytes } from '../../src/oauth/lent-bytes.ts'
import { hmac, protocol, signable, timestamp } from './requests.ts'

const CARD: Parameter = ['card', '4111111111111111']
const input = { ...hmac, ...signable, ...protocol, parameters: [...signable.parameters, CARD] }

/** Does it with two loans that it must bring back, with nothing left in them. */
async function bringsBack(work: () => unknown): Promise<void> {
  const lent = [lendBytes(0), lendBytes(0)]
  for (const each of lent) returnBytes({ ...each, end: each.bytes.length })
  const kept = [lendBytes(0), lendBytes(0)]
  for (const each of kept) returnBytes(each)
  await work()
  const after: LentBytes[] = [lendBytes(0), lendBytes(0)]
  expect(new Set(after)).toEqual(new Set(kept))
  for (const { bytes } of after) expect(bytes.every((byte) => byte === 0)).toBe(true)
  for (const each of after) returnBytes(each)
}

function received(body: string): VerifyOAuthInput {
  const parsed = parseAuthorizationHeader(signOAuth(input).authorization)
  if (!parsed.ok) throw new Error(parsed.message)
  const { httpMethod, url } = signable
  return { ...hmac, httpMethod, url, header: parsed.header, now: timestamp, body }
}

const { body } = signOAuth(input)
const repeated: Parameter[] = [CARD, ['card', '4012888888881881']]

describe('what a request was encoded in is wiped, and used again', () => {
  test.for([
    ['a signature', () => signOAuth(input)],
    ['a signature of a repeated name', () => signOAuth({ ...input, parameters: repeated })],
    ['a signature of a value that goes the plain way', () => signOAuth({ ...input, parameters: [['card', '4111\0']] })],
    ['a signature with a query', () => signOAuth({ ...input, url: `${input.url}?card=4111111111111111` })],
    ['an asynchronous signature', () => signOAuthAsync(input)],
    ['a signature that fails', () => expect(() => signOAuth({ ...input, key: {} as never })).toThrow()],
    ['a verdict', () => expect(verifyOAuth(received(body)).ok).toBe(true)],
    ['an asynchronous verdict', async () => expect((await verifyOAuthAsync(received(body))).ok).toBe(true)],
    [
      'a wrong signature',
      () => expect(verifyOAuth({ ...received(body), key: hmacKey('other') } as VerifyOAuthInput).ok).toBe(false),
    ],
    ['a body that is not canonical', () => expect(verifyOAuth(received(`${body}&`)).ok).toBe(true)],
    ['a body that is not canonical in its middle', () => verifyOAuth(received(body.replace('card=4', 'card=%34')))],
    ['a body beyond ASCII', () => verifyOAuth(received(body.replace('card=', 'card=é')))],
  ] as const)('after %s', async ([, work]) => {
    await bringsBack(work)
  })
})
