import { createHmac, webcrypto } from 'node:crypto'
import { Pan } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SealedCard } from '../../src/vault/sealed-card.ts'
import { createVault, dataKeys, decrypt, encrypt, keyedDigest } from '../../src/vault/vault.ts'
import { anyCard, anyLogin, CARD, freshKeys, PAN, random, rotatedKeys, vaultOf } from './cards.ts'

const keys = freshKeys()
const vault = vaultOf(keys)
const sealed = vault.seal('shop', CARD)

describe('a sealed card', () => {
  test('opens to the number that was sealed', () => {
    fc.assert(
      fc.property(anyLogin, anyCard, (login, card) => {
        expect(vault.open(vault.seal(login, card), login).reveal()).toBe(card.pan.reveal())
      }),
    )
  })

  test('opens in another process with the same keys, as a store gives it back', () => {
    const { cardholderName, expireMonth, expireYear, ...stored } = structuredClone(
      vault.seal('shop', { pan: CARD.pan }),
    )
    expect([cardholderName, expireMonth, expireYear]).toEqual([undefined, undefined, undefined])
    expect(vaultOf(keys).open(stored, 'shop').reveal()).toBe(PAN)
  })

  test('has what may be shown of the card, and whose it is', () => {
    expect(sealed).toMatchObject({
      login: 'shop',
      keyId: 'first',
      bin: '448594',
      lastFourDigits: '9130',
      cardType: 'VISA',
      cardholderName: 'JOHN DOE',
      expireMonth: '12',
      expireYear: '2031',
    })
  })

  test('has the same id each time, and is encrypted anew each time', () => {
    const again = vaultOf(keys).seal('shop', { ...CARD, pan: new Pan(PAN) })
    expect(again.cardId).toBe(sealed.cardId)
    expect(again.cardId).toMatch(/^[\da-f]{32}$/)
    const bytesOf = ({ wrappedKey, sealedPan }: SealedCard) =>
      [wrappedKey, sealedPan].map((bytes) => Buffer.from(bytes).toString('hex'))
    expect(new Set([...bytesOf(sealed), ...bytesOf(again)]).size).toBe(4)
  })

  test('has another id for another merchant, another number, another expiry and another name', () => {
    const others = [
      vault.seal('rival', CARD),
      vault.seal('shop', { ...CARD, pan: new Pan('4444333322221111') }),
      vault.seal('shop', { ...CARD, expireMonth: '11' }),
      vault.seal('shop', { ...CARD, expireYear: '2032' }),
      vault.seal('shop', { ...CARD, cardholderName: 'JANE DOE' }),
      vault.seal('shop', { ...CARD, cardholderName: undefined }),
      vault.seal('shop', { pan: CARD.pan }),
      vaultOf(freshKeys()).seal('shop', CARD),
    ]
    expect(new Set([sealed, ...others].map(({ cardId }) => cardId)).size).toBe(9)
  })

  test('has an id that depends on where its texts are divided', () => {
    fc.assert(
      fc.property(anyLogin, anyCard, anyLogin, anyCard, (login, card, otherLogin, other) => {
        const parts = (of: string, { pan, ...rest }: typeof card) =>
          JSON.stringify([of, pan.reveal(), rest.cardholderName, rest.expireMonth, rest.expireYear])
        const sameCard = parts(login, card) === parts(otherLogin, other)
        expect(vault.seal(login, card).cardId === vault.seal(otherLogin, other).cardId).toBe(sameCard)
      }),
    )
  })
})

describe('a fingerprint', () => {
  test('is the same for every merchant and every vault with the key', () => {
    expect(vault.seal('rival', { pan: CARD.pan }).fingerprint).toBe(sealed.fingerprint)
    expect(vaultOf(rotatedKeys(keys, 'second')).fingerprint(new Pan(PAN))).toBe(sealed.fingerprint)
    expect(sealed.fingerprint).toMatch(/^[\da-f]{64}$/)
  })

  test('differs from number to number and from key to key, and from any other digest', () => {
    const prints = [
      sealed.fingerprint,
      vault.fingerprint(new Pan('4444333322221111')),
      vaultOf(freshKeys()).fingerprint(CARD.pan),
      vault.digest(PAN),
      vaultOf(freshKeys()).digest(PAN),
    ]
    expect(new Set(prints).size).toBe(5)
  })
})

test('a digest is the same for the same text, also after a rotation', () => {
  expect(vault.digest('text')).toBe(vaultOf(rotatedKeys(keys, 'second')).digest('text'))
  expect(vault.digest('text')).not.toBe(vault.digest('texts'))
})

describe('open refuses', () => {
  const notAuthentic = (what: string) =>
    expect.objectContaining({
      code: 'NOT_AUTHENTIC',
      message: `the ${what} of card ${sealed.cardId} is not what was sealed under the key first`,
    })

  test.for([
    ['wrappedKey', 'data key'],
    ['sealedPan', 'number'],
  ] as const)('a change of any bit of %s', ([part, what]) => {
    for (let bit = 0; bit < sealed[part].length * 8; bit++) {
      const bytes = Uint8Array.from(sealed[part])
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => vault.open({ ...sealed, [part]: bytes }, 'shop')).toThrow(notAuthentic(what))
    }
  })

  test.for(['wrappedKey', 'sealedPan'] as const)('%s with bytes missing or added', (part) => {
    for (let length = 0; length < sealed[part].length; length++) {
      expect(() => vault.open({ ...sealed, [part]: sealed[part].subarray(0, length) }, 'shop')).toThrow(
        'is not what was sealed',
      )
      const rest = sealed[part].subarray(length + 1)
      expect(() => vault.open({ ...sealed, [part]: rest }, 'shop')).toThrow('is not what was sealed')
    }
    expect(() => vault.open({ ...sealed, [part]: Buffer.concat([sealed[part], Buffer.alloc(1)]) }, 'shop')).toThrow(
      'is not what was sealed',
    )
  })

  test.for([
    ['login', 'rival'],
    ['cardId', '0'.repeat(32)],
    ['fingerprint', '0'.repeat(64)],
    ['bin', '444433'],
    ['lastFourDigits', '1111'],
    ['cardholderName', 'JANE DOE'],
    ['cardholderName', undefined],
    ['expireMonth', '11'],
    ['expireYear', '2041'],
    ['expireYear', undefined],
  ] as const)('another %s: %s', ([part, value]) => {
    expect(() => vault.open({ ...sealed, [part]: value }, 'shop')).toThrow('is not what was sealed')
  })

  test('parts of one card in another, under the same data key', () => {
    const sameMerchant = vault.seal('shop', { ...CARD, pan: new Pan('4444333322221111') })
    const rival = vault.seal('rival', CARD)
    for (const other of [sameMerchant, rival]) {
      expect(other.wrappedKey).toEqual(sealed.wrappedKey)
      expect(() => vault.open({ ...sealed, sealedPan: other.sealedPan }, 'shop')).toThrow(notAuthentic('number'))
      expect(() => vault.open({ ...other, cardId: sealed.cardId }, other.login)).toThrow(notAuthentic('id'))
    }
  })

  test('parts of a card that another process has sealed', () => {
    const sameCard = vaultOf(keys).seal('shop', CARD)
    for (const part of ['wrappedKey', 'sealedPan'] as const) {
      expect(() => vault.open({ ...sealed, [part]: sameCard[part] }, 'shop')).toThrow(notAuthentic('number'))
    }
  })

  test('the card of another merchant, whole as it is', () => {
    expect(() => vault.open(sealed, 'rival')).toThrow(notAuthentic('merchant'))
  })

  test('another key id, also when it names the same key', () => {
    const [key] = [...keys.wrapping.values()]
    if (key === undefined) throw new Error('there is no key')
    const doubled = vaultOf({ ...keys, wrapping: new Map([...keys.wrapping, ['second', key]]) })
    expect(doubled.open(sealed, 'shop').reveal()).toBe(PAN)
    expect(() => doubled.open({ ...sealed, keyId: 'second' }, 'shop')).toThrow(
      'is not what was sealed under the key second',
    )
  })

  test('a key that it does not have, and names it', () => {
    const { current, wrapping } = freshKeys('second')
    const other = vaultOf({ ...keys, current, wrapping })
    const message = `card ${sealed.cardId} is under the key first, which the vault lacks`
    for (const act of [(card: SealedCard) => other.open(card, 'shop'), other.rewrap]) {
      expect(() => act(sealed)).toThrow(expect.objectContaining({ code: 'UNKNOWN_KEY', message }))
    }
  })

  test('a key that has the id of another', () => {
    const impostor = vaultOf({ ...keys, wrapping: freshKeys().wrapping })
    expect(() => impostor.open(sealed, 'shop')).toThrow(notAuthentic('data key'))
  })
})

/** As cards were sealed until November 2026. */
function withOwnKey(card: SealedCard): SealedCard {
  const { cardId, login, fingerprint, bin, lastFourDigits, expireMonth, expireYear, cardholderName, keyId } = card
  const [dataKey, wrapping] = [Buffer.alloc(32, 7), keys.wrapping.get(keyId)]
  if (wrapping === undefined) throw new Error('there is no key')
  const optional = [expireMonth ?? null, expireYear ?? null, cardholderName ?? null]
  const identity = JSON.stringify(['card', login, fingerprint, bin, lastFourDigits, ...optional])
  const bound = JSON.stringify(['data key', keyId, login, cardId])
  return {
    ...card,
    wrappedKey: encrypt(dataKey, { key: wrapping, associated: bound }, random),
    sealedPan: encrypt(Buffer.from(PAN), { key: dataKey, associated: identity }, random),
  }
}

describe('a card with a data key of its own', () => {
  const own = withOwnKey(sealed)

  test('opens, and is rewrapped', () => {
    expect(vault.open(own, 'shop').reveal()).toBe(PAN)
    const rotated = vaultOf(rotatedKeys(keys, 'second'))
    expect(rotated.open(rotated.rewrap(own), 'shop').reveal()).toBe(PAN)
  })

  test('refuses the key of another card', () => {
    const rival = withOwnKey(vault.seal('rival', CARD))
    expect(() => vault.open({ ...own, wrappedKey: rival.wrappedKey }, 'shop')).toThrow('the data key of card')
  })
})

describe('a data key', () => {
  const HOUR_MS = 3_600_000
  let at = 0
  const take = () => dataKeys({ random, now: () => at, wrap: (key) => Uint8Array.from(key) })

  test('is another after an hour, and when the clock was set back', () => {
    const next = take()
    const first = next()
    at += HOUR_MS - 1
    expect(next()).toBe(first)
    at += 1
    const second = next()
    expect(second.wrappedKey).not.toEqual(first.wrappedKey)
    expect(second.key.equals(first.key)).toBe(false)
    at -= 1
    expect(next().key.equals(second.key)).toBe(false)
  })

  test('is another after 2^20 cards, each with a vector of its own', () => {
    const next = take()
    const first = next()
    const vectors = new Set<string>()
    for (let cards = 1; cards < 2 ** 20; cards++) {
      const { count } = next()
      const vector = Buffer.alloc(12, 1)
      count(vector)
      vectors.add(vector.toString('latin1'))
    }
    expect(vectors.size).toBe(2 ** 20 - 1)
    expect(next().key.equals(first.key)).toBe(false)
  })
})

describe('rewrap', () => {
  const rotated = rotatedKeys(keys, 'second')

  test('wraps the data key by the current key and leaves the rest as it was', () => {
    const { wrappedKey, ...rest } = vaultOf(rotated).rewrap(sealed)
    const { wrappedKey: before, ...restBefore } = sealed
    expect(rest).toEqual({ ...restBefore, keyId: 'second' })
    expect(wrappedKey).not.toEqual(before)
  })

  test('lets the old key go', () => {
    const card = vaultOf(rotated).rewrap(sealed)
    const wrapping = new Map([...rotated.wrapping].filter(([id]) => id === 'second'))
    expect(
      vaultOf({ ...rotated, wrapping })
        .open(card, 'shop')
        .reveal(),
    ).toBe(PAN)
  })

  test('leaves a card under the current key as it is', () => {
    expect(vault.rewrap(sealed)).toBe(sealed)
  })

  test('refuses a wrapping that was changed', () => {
    const wrappedKey = Uint8Array.from(sealed.wrappedKey).fill(0, 40)
    expect(() => vaultOf(rotated).rewrap({ ...sealed, wrappedKey })).toThrow('is not what was sealed')
  })
})

describe('a sealed text', () => {
  const text = '{"ssn":"804217759001"}'
  const waiting = vault.sealText(text, 'token-1')
  const refused = expect.objectContaining({
    code: 'NOT_AUTHENTIC',
    message: 'a sealed text is not what was sealed, or was sealed for something else',
  })

  test('opens to the text, whatever it is, also after a rotation and without the wrapping key of its day', () => {
    const later = vaultOf({ ...freshKeys('second'), fingerprint: keys.fingerprint })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (any, sealedFor) => {
        expect(later.openText(vault.sealText(any, sealedFor), sealedFor)).toBe(any)
      }),
    )
  })

  test('is encrypted anew each time, and shows nothing of the text', () => {
    const again = vault.sealText(text, 'token-1')
    expect(again).not.toBe(waiting)
    for (const sealedText of [waiting, again]) {
      expect(Buffer.from(sealedText, 'base64').toString('latin1')).not.toMatch(/ssn|8042/)
    }
  })

  test('does not open for anything else, with other keys, or with a bit changed', () => {
    expect(() => vault.openText(waiting, 'token-2')).toThrow(refused)
    expect(() => vaultOf(freshKeys()).openText(waiting, 'token-1')).toThrow(refused)
    const bytes = Buffer.from(waiting, 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => vault.openText(changed.toString('base64'), 'token-1')).toThrow(refused)
    }
    expect(() => vault.openText('', 'token-1')).toThrow(refused)
  })
})

describe('the bytes of a data key', () => {
  test('are gone once the card is sealed', () => {
    const given: Uint8Array[] = []
    const watched = createVault({
      keys,
      now: Date.now,
      random: (target) => {
        random(target)
        given.push(target)
      },
    })
    expect(watched.open(watched.seal('shop', CARD), 'shop').reveal()).toBe(PAN)
    const dataKeys = given.filter(({ length }) => length === 32)
    expect(dataKeys.map((key) => [...key])).toEqual([Array<number>(32).fill(0)])
  })

  test('are gone even if sealing fails', () => {
    const given: Uint8Array[] = []
    const failing = createVault({
      keys,
      now: Date.now,
      random: (target) => {
        if (given.push(target) > 1) throw new Error('no randomness')
        target.fill(1)
      },
    })
    expect(() => failing.seal('shop', CARD)).toThrow('no randomness')
    expect([...(given[0] ?? [])]).toEqual(Array<number>(32).fill(0))
  })
})

test('a vault needs its current key', () => {
  expect(() => vaultOf({ ...keys, current: 'second' })).toThrow(TypeError)
})

const IV_BYTES = 12
const TAG_BYTES = 16

describe('encrypt', () => {
  test('gives the published result of test case 14 of the GCM specification (McGrew, Viega 2005)', () => {
    const sealing = { key: Buffer.alloc(32), associated: '' }
    const sealed = encrypt(Buffer.alloc(16), sealing, (target) => void target.fill(0))
    expect(Buffer.from(sealed).toString('hex')).toBe(
      `${'00'.repeat(IV_BYTES)}d0d1c8a799996bf0265b98b5d48ab919cea7403d4d606b6e074ec5d3baf39d18`,
    )
  })

  test('is read by another implementation, with the same associated text', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, anyPlain, anyAssociated, async (key, plain, associated) => {
        const sealed = Buffer.from(encrypt(plain, { key, associated }, random))
        const iv = sealed.subarray(0, IV_BYTES)
        const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
        const text = sealed.subarray(IV_BYTES + TAG_BYTES)
        const imported = await webcrypto.subtle.importKey('raw', Buffer.from(key), 'AES-GCM', false, ['decrypt'])
        const options = { name: 'AES-GCM', iv, additionalData: Buffer.from(associated) }
        const read = await webcrypto.subtle.decrypt(options, imported, Buffer.concat([text, tag]))
        expect(Buffer.from(read).equals(plain)).toBe(true)
      }),
    )
  })
})

describe('decrypt', () => {
  test('gives what was encrypted', () => {
    fc.assert(
      fc.property(anyKey, anyPlain, anyAssociated, (key, plain, associated) => {
        const sealed = encrypt(plain, { key, associated }, random)
        expect(decrypt(sealed, { key, associated })?.equals(plain)).toBe(true)
      }),
    )
  })

  test('gives nothing for another key, another associated text, or any other bytes', () => {
    const key = Buffer.alloc(32, 1)
    const sealed = encrypt(Buffer.from('text'), { key, associated: 'a' }, random)
    expect(decrypt(sealed, { key: Buffer.alloc(32, 2), associated: 'a' })).toBeUndefined()
    expect(decrypt(sealed, { key, associated: 'b' })).toBeUndefined()
    for (let length = 0; length < sealed.length; length++) {
      expect(decrypt(sealed.subarray(0, length), { key, associated: 'a' })).toBeUndefined()
    }
    expect(decrypt(Buffer.concat([sealed, Buffer.alloc(1)]), { key, associated: 'a' })).toBeUndefined()
  })
})

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anyPlain = fc.uint8Array({ maxLength: 64 })
const anyAssociated = fc.string({ unit: 'binary' })

describe('keyedDigest', () => {
  test.for([
    ['1', Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [
      '2',
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ] as const)('gives the published result of RFC 4231 test case %s', ([, key, text, published]) => {
    expect(keyedDigest(key)(text)).toBe(published)
  })

  test('is what createHmac computes', () => {
    const key = fc.uint8Array({ maxLength: 64 })
    fc.assert(
      fc.property(key, fc.string({ unit: 'binary', maxLength: 2000 }), (bytes, text) => {
        expect(keyedDigest(bytes)(text)).toBe(createHmac('sha256', bytes).update(text).digest('hex'))
      }),
    )
  })

  test('does not keep the key that it was given', () => {
    const key = Buffer.from('Jefe')
    const digest = keyedDigest(key)
    const before = digest('text')
    key.fill(0)
    expect(digest('text')).toBe(before)
  })
})
