import { expect, test } from 'vitest'
import { type Claim, resultWriter } from '../../src/callbacks/result-writer.ts'
import type { Attempted } from '../../src/store/delivery.ts'
import { delivery } from './delivery-desk.ts'

/** Results of attempts of which so many are under way, and what was committed. Time passes when the test says so. */
function desk(underWay: number, refuses: (attempts: readonly Attempted[]) => boolean = () => false) {
  const committed: (readonly (readonly [id: string, claimedUntil: number | undefined])[])[] = []
  const ended = new Set<Claim>()
  const pauses: (() => void)[] = []
  const claiming = Promise.withResolvers<void>()
  const write = resultWriter({
    commit: async ({ attempts = [] }) => {
      if (refuses(attempts)) throw new Error('no such order')
      committed.push(attempts.map(({ delivery: { id }, claimedUntil }) => [id, claimedUntil]))
      return { ok: true }
    },
    underWay: () => underWay,
    pause: () => new Promise<void>((over) => pauses.push(over)),
    claimed: () => claiming.promise,
    hasEnded: (claim) => ended.has(claim),
  })
  const passes = () => {
    for (const over of pauses.splice(0)) over()
  }
  return {
    committed,
    ended,
    claiming,
    passes,
    result: (id: string, claim: Claim = { until: 60_000 }) => write({ delivery: delivery({ id }), claim }),
  }
}

test('a result is written at once if no other attempt is under way', async () => {
  const { result, committed } = desk(1)
  await result('a')
  expect(committed).toEqual([[['a', 60_000]]])
})

test('results wait for others that are under way, and are written with one commit', async () => {
  const { result, committed } = desk(3)
  const first = [result('a'), result('b')]
  expect(committed).toEqual([])
  await Promise.all([...first, result('c')])
  expect(committed.map((each) => each.map(([id]) => id))).toEqual([['a', 'b', 'c']])
})

test('a result does not wait for longer than a moment, nor for more than 64', async () => {
  const { result, committed, passes } = desk(1000)
  const first = result('a')
  passes()
  await first
  await Promise.all(Array.from({ length: 64 }, (_, each) => result(`${each}`)))
  expect(committed.map(({ length }) => length)).toEqual([1, 64])
})

test('one that the store refuses harms none of those that waited with it', async () => {
  const { result, committed } = desk(3, (attempts) => attempts.some(({ delivery: { id } }) => id === 'gone'))
  const settled = await Promise.allSettled([result('a'), result('gone'), result('b')])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(committed).toEqual([[['a', 60_000]], [['b', 60_000]]])
})

test('a result whose claim has ended is written under the new one, once it is known which', async () => {
  const { result, committed, ended, claiming } = desk(1)
  const claim: Claim = { until: 60_000 }
  ended.add(claim)
  const written = result('a', claim)
  await Promise.resolve()
  expect(committed).toEqual([])
  claim.until = 120_000
  claiming.resolve()
  await written
  expect(committed).toEqual([[['a', 120_000]]])
})
