import { describe, expect, test } from 'vitest'
import { everyOrder, type Turns } from '../src/every-order.ts'

/** Two actors that add one to a number: each reads it, then writes the sum. It may be known which number each of them touches. */
async function adders(turns: Turns, numberOf?: (who: string) => string) {
  const numbers = new Map<string, number>()
  const add = (who: string) => async () => {
    const what = numberOf?.(who) ?? 'the number'
    const touch = (isRead: boolean) => numberOf && { by: who, what, isRead }
    const read = await turns.step(`${who} reads`, async () => numbers.get(what) ?? 0, touch(true))
    await turns.step(`${who} writes`, async () => void numbers.set(what, read + 1), touch(false))
  }
  return { actors: [add('one'), add('other')], sum: () => [...numbers.values()].reduce((sum, one) => sum + one, 0) }
}

describe('everyOrder', () => {
  test('finds what goes wrong in some of the orders, and reports the first of them', async () => {
    const { findings } = await everyOrder(async (turns) => {
      const { actors, sum } = await adders(turns)
      return { actors, judge: async (hasDied) => (hasDied || sum() === 2 ? [] : [`the sum is ${sum()}`]) }
    })
    expect(findings).toEqual(['the sum is 1: one reads > other reads > one writes > other writes'])
  })

  test('plays each order once, and each point at which the processes can die', async () => {
    const ends: string[] = []
    const { orders } = await everyOrder(async (turns) => {
      const { actors, sum } = await adders(turns)
      const judge = async (hasDied: boolean) => {
        ends.push(`${hasDied ? 'died' : 'ended'} at ${sum()}`)
        return []
      }
      return { actors, judge }
    })
    const counts = Object.groupBy(ends, (end) => end)
    const ended = (counts['ended at 1'] ?? []).length + (counts['ended at 2'] ?? []).length
    // Two of the six ways to lay two pairs of steps side by side keep the pairs apart.
    expect([ended, counts['ended at 2']?.length, orders]).toEqual([6, 2, ends.length])
    // The beginnings of these six that are no ends: none, one step, two, three.
    expect(orders - ended).toBe(1 + 2 + 4 + 6)
  })

  test.each([
    // Both reads come first in four of the six orders, and are swapped in two of these.
    ['the same number', () => 'the number', ['1', '1', '2', '2'], ['0', '1', '1', '1', '1']],
    // No step has to do with those of the other.
    ['a number of their own', (who: string) => who, ['2'], ['0', '1', '1', '1', '1']],
  ])(
    'plays one of the orders that differ in neighbours that commute, and death not after a read: of %s',
    async (_, numberOf, ended, died) => {
      const sums = { ended: [] as string[], died: [] as string[] }
      await everyOrder(async (turns) => {
        const { actors, sum } = await adders(turns, numberOf)
        const judge = async (hasDied: boolean) => {
          sums[hasDied ? 'died' : 'ended'].push(`${sum()}`)
          return []
        }
        return { actors, judge }
      })
      expect({ ended: sums.ended.toSorted(), died: sums.died.toSorted() }).toEqual({ ended, died })
    },
  )
})
