import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CARD, errorOf, freshKeys, PAN, rotatedKeys, vaultOf } from './cards.ts'

/** Bytes in every spelling that a log, an address or a record may give them. */
function spellings(bytes: Uint8Array): readonly string[] {
  const buffer = Buffer.from(bytes)
  const hex = buffer.toString('hex')
  const base64 = buffer.toString('base64').replace(/=+$/, '')
  const listed = [buffer.join(), buffer.join(', '), hex.replace(/..(?=.)/g, '$& ')]
  const all = [
    buffer.toString('latin1'),
    hex,
    hex.replace(/../g, '%$&'),
    base64,
    buffer.toString('base64url'),
    ...listed,
  ]
  return all.flatMap((text) => [text, text.toUpperCase(), encodeURIComponent(text)])
}

const everything = { showHidden: true, depth: 20, maxArrayLength: 1e4, maxStringLength: 1e6, breakLength: Infinity }

/** What each of the channels shows of a value. */
function told(value: unknown): string {
  const own = value instanceof Error ? [value.message, value.stack, { ...value }] : []
  return [inspect(value, everything), JSON.stringify(value), String(value), ...own.map((part) => inspect(part))].join(
    '\n',
  )
}

describe('no card number and no key', () => {
  const keys = rotatedKeys(freshKeys(), 'second')
  const vault = vaultOf(keys)
  const card = vault.seal('shop', CARD)
  const secrets = [
    Buffer.from(PAN),
    ...[...keys.wrapping.values(), keys.fingerprint].map((key) => key.export()),
  ].flatMap(spellings)

  test.for([
    ['a sealed card', () => card],
    ['its bytes', () => [card.wrappedKey, card.sealedPan].map((bytes) => Buffer.from(bytes).toString('latin1'))],
    ['a vault', () => vault],
    ['the keys of a vault', () => keys],
    ['an opened card', () => vault.open(card, card.login)],
    [
      'the refusal of a number',
      () => errorOf(() => vault.open({ ...card, sealedPan: card.sealedPan.subarray(1) }, card.login)),
    ],
    ['the refusal of a wrapping', () => errorOf(() => vault.open({ ...card, wrappedKey: card.sealedPan }, card.login))],
    ['the refusal of a key', () => errorOf(() => vault.open({ ...card, keyId: 'third' }, card.login))],
  ] as const)('is told by %s', ([, make]) => {
    const value = make()
    expect(value).toBeDefined()
    const text = told(value)
    expect(secrets.filter((spelling) => text.includes(spelling))).toEqual([])
  })

  test('the check itself works: each secret is found if it is leaked', () => {
    for (const secret of [Buffer.from(PAN), keys.fingerprint.export()]) {
      for (const channel of [secret, [...secret], secret.toString('base64'), new Error(secret.toString('hex'))]) {
        expect(secrets.some((spelling) => told(channel).includes(spelling))).toBe(true)
      }
    }
  })
})
