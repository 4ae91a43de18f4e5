import { Pan } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RotationCounts, type RotationOptions, rotateCards } from '../../src/key-rotation/rotate-cards.ts'
import type { VaultKeys } from '../../src/vault/keys.ts'
import type { SealedCard } from '../../src/vault/sealed-card.ts'
import { CARD, freshKeys, rotatedKeys, vaultOf } from '../vault/cards.ts'

/** A store of cards that does what the port promises, and no more. */
function cardStore(cards: readonly SealedCard[] = []) {
  const kept = new Map(cards.map((card) => [card.cardId, card]))
  const store: RotationOptions['store'] = {
    cardsNotUnder: async (keyId, after, limit) =>
      [...kept.values()]
        .filter((card) => card.keyId !== keyId && card.cardId > after)
        .sort((one, other) => (one.cardId < other.cardId ? -1 : 1))
        .slice(0, limit),
    rewrapCard: async (card, from) => {
      const now = kept.get(card.cardId)
      if (now === undefined || !Buffer.from(now.wrappedKey).equals(from.wrappedKey)) return false
      kept.set(card.cardId, card)
      return true
    },
  }
  return { store, kept }
}

const oldKeys = freshKeys('first')
const bothKeys = rotatedKeys(oldKeys, 'second')
const newKeys = { ...bothKeys, wrapping: only(bothKeys, 'second') }
const vault = vaultOf(bothKeys)

function only(keys: VaultKeys, id: string): VaultKeys['wrapping'] {
  return new Map([...keys.wrapping].filter(([one]) => one === id))
}

function sealedCards(keys: VaultKeys, count: number): SealedCard[] {
  const sealing = vaultOf(keys)
  return Array.from({ length: count }, (_, at) =>
    sealing.seal('shop', { ...CARD, cardholderName: `${keys.current} ${at}` }),
  )
}

/** Expects every card to open without the old key. */
function expectRotated(kept: ReadonlyMap<string, SealedCard>, count: number): void {
  expect(kept.size).toBe(count)
  const later = vaultOf(newKeys)
  for (const card of kept.values()) expect(later.open(card, card.login).reveal()).toBe(CARD.pan.reveal())
}

describe('rotateCards', () => {
  test('brings each card under the current key, batch by batch', async () => {
    const { store, kept } = cardStore([...sealedCards(oldKeys, 7), ...sealedCards(bothKeys, 2)])
    const heard: RotationCounts[] = []
    const result = await rotateCards({ store, vault, batch: 3, onProgress: (counts) => void heard.push(counts) })
    expect(result).toEqual({ rewrapped: 7, overtaken: 0, refused: 0, complete: true })
    expect(heard.map(({ rewrapped }) => rewrapped)).toEqual([3, 6, 7])
    expectRotated(kept, 9)
  })

  test('has nothing to do a second time', async () => {
    const { store } = cardStore(sealedCards(oldKeys, 3))
    await rotateCards({ store, vault })
    expect(await rotateCards({ store, vault })).toEqual({ rewrapped: 0, overtaken: 0, refused: 0, complete: true })
  })

  test('leaves the sealed numbers as they were', async () => {
    const before = sealedCards(oldKeys, 3)
    const { store, kept } = cardStore(before)
    await rotateCards({ store, vault })
    for (const { cardId, sealedPan } of before) expect(kept.get(cardId)?.sealedPan).toBe(sealedPan)
  })

  test('continues, when started again, from wherever it was stopped', async () => {
    const cards = sealedCards(oldKeys, 5)
    for (let stopAfter = 0; stopAfter < 4; stopAfter++) {
      const { store, kept } = cardStore(cards)
      const stop = new AbortController()
      let batches = 0
      if (stopAfter === 0) stop.abort()
      const onProgress = () => void (++batches === stopAfter && stop.abort())
      const first = await rotateCards({ store, vault, batch: 2, onProgress, signal: stop.signal })
      expect(first).toMatchObject({ rewrapped: Math.min(2 * stopAfter, 5), complete: stopAfter === 3 })
      expect(await rotateCards({ store, vault })).toMatchObject({ rewrapped: 5 - first.rewrapped, complete: true })
      expectRotated(kept, 5)
    }
  })

  describe.for(['before', 'after'] as const)('when the store fails %s', (when) => {
    test('one of its calls, no card is lost and the next rotation completes', async () => {
      const cards = sealedCards(oldKeys, 5)
      let calls = 0
      const failingStore = (inner: RotationOptions['store'], failAt: number): RotationOptions['store'] => {
        calls = 0
        const failing = async <T>(call: () => Promise<T>): Promise<T> => {
          const mine = ++calls
          if (when === 'before' && mine === failAt) throw new Error('the store failed')
          const result = await call()
          if (when === 'after' && mine === failAt) throw new Error('the store failed')
          return result
        }
        return {
          cardsNotUnder: (...given) => failing(() => inner.cardsNotUnder(...given)),
          rewrapCard: (...given) => failing(() => inner.rewrapCard(...given)),
        }
      }
      await rotateCards({ store: failingStore(cardStore(cards).store, 0), vault, batch: 2 })
      const allCalls = calls
      expect(allCalls).toBe(5 + 4 + 1)
      for (let failAt = 1; failAt <= allCalls; failAt++) {
        const { store, kept } = cardStore(cards)
        await expect(rotateCards({ store: failingStore(store, failAt), vault, batch: 2 })).rejects.toThrow(
          'the store failed',
        )
        for (const card of kept.values()) expect(vault.open(card, card.login).reveal()).toBe(CARD.pan.reveal())
        expect(await rotateCards({ store, vault, batch: 2 })).toMatchObject({ refused: 0, complete: true })
        expectRotated(kept, 5)
      }
    })
  })

  test('has no write under way when it has failed', async () => {
    const { store, kept } = cardStore(sealedCards(oldKeys, 3))
    let underWay = 0
    const slow: RotationOptions['store'] = {
      ...store,
      rewrapCard: async (card, from) => {
        underWay++
        const first = [...kept.keys()].sort()[0] === card.cardId
        for (let turn = 0; turn < 20 && !first; turn++) await Promise.resolve()
        underWay--
        if (first) throw new Error('the store failed')
        return store.rewrapCard(card, from)
      },
    }
    await expect(rotateCards({ store: slow, vault })).rejects.toThrow('the store failed')
    expect(underWay).toBe(0)
  })

  test('does no harm beside a second one', async () => {
    const { store, kept } = cardStore(sealedCards(oldKeys, 20))
    const [one, other] = await Promise.all([
      rotateCards({ store, vault, batch: 3 }),
      rotateCards({ store, vault: vaultOf(bothKeys), batch: 4 }),
    ])
    expect(one.rewrapped + other.rewrapped).toBe(20)
    expect(one.overtaken + other.overtaken).toBeGreaterThan(0)
    expectRotated(kept, 20)
  })

  test('reports that cards came under the old key behind it, and finds them the next time', async () => {
    const late = [...sealedCards(oldKeys, 40), ...sealedCards(bothKeys, 3)]
    const { store, kept } = cardStore(late.splice(0, 6))
    const onProgress = () => {
      for (const card of late.splice(0)) kept.set(card.cardId, card)
    }
    const first = await rotateCards({ store, vault, batch: 5, onProgress })
    expect(first.complete).toBe(false)
    expect(await rotateCards({ store, vault })).toMatchObject({ rewrapped: 40 - first.rewrapped, complete: true })
    expectRotated(kept, 43)
  })

  test('leaves what does not open, names it, and does the others', async () => {
    const [lost, broken, ...sound] = [
      ...sealedCards(freshKeys('lost'), 1),
      ...sealedCards(oldKeys, 1).map((card) => ({ ...card, login: 'rival' })),
      ...sealedCards(oldKeys, 5).slice(1),
    ]
    if (lost === undefined || broken === undefined) throw new Error('there are no cards')
    const { store, kept } = cardStore([lost, broken, ...sound])
    const refused = new Map<string, string>()
    const onRefused: RotationOptions['onRefused'] = (cardId, { code }) => void refused.set(cardId, code)
    const result = await rotateCards({ store, vault, batch: 1, onRefused })
    expect(result).toEqual({ rewrapped: 4, overtaken: 0, refused: 2, complete: false })
    expect(refused).toEqual(
      new Map([
        [lost.cardId, 'UNKNOWN_KEY'],
        [broken.cardId, 'NOT_AUTHENTIC'],
      ]),
    )
    expect(kept.get(lost.cardId)).toBe(lost)
    expect(kept.get(broken.cardId)).toBe(broken)
  })

  test('ends with every card under the current key, whatever the cards, the batches and the stops', async () => {
    const pans = ['4444333322221111', '5555555555554444', '6759649826438453'].map((text) => new Pan(text))
    const anyKeys = fc.constantFrom(oldKeys, bothKeys, rotatedKeys(bothKeys, 'third'))
    const all = new Map([...oldKeys.wrapping, ...bothKeys.wrapping])
    const anyCards = fc.array(fc.tuple(anyKeys, fc.constantFrom(...pans), fc.nat(8)), { maxLength: 12 })
    const stops = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 })), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(anyCards, stops, async (given, runs) => {
        const wrapping = new Map([...all, ...given.flatMap(([keys]) => [...keys.wrapping])])
        const rotating = vaultOf({ ...bothKeys, wrapping })
        const { store, kept } = cardStore(
          given.map(([keys, pan, at]) => vaultOf(keys).seal('shop', { pan, cardholderName: `${at}` })),
        )
        const before = new Map([...kept].map(([cardId, card]) => [cardId, rotating.open(card, card.login).reveal()]))
        for (const [batch, batches] of runs) {
          const stop = new AbortController()
          let heard = 0
          const onProgress = () => void (++heard === batches && stop.abort())
          await rotateCards({ store, vault: rotating, batch, onProgress, signal: stop.signal })
        }
        expect(await rotateCards({ store, vault: rotating })).toMatchObject({ refused: 0, complete: true })
        const later = vaultOf(newKeys)
        expect(new Map([...kept].map(([cardId, card]) => [cardId, later.open(card, card.login).reveal()]))).toEqual(
          before,
        )
      }),
      { numRuns: 50 },
    )
  })
})
