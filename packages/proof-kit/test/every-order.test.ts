import { describe, expect, test } from 'vitest'
import { everyOrder, type Turns } from '../src/every-order.ts'

/** Two actors that add one to a number: each reads it, then writes the sum. */
async function adders(turns: Turns) {
  let sum = 0
  const add = (who: string) => async () => {
    const read = await turns.step(`${who} reads`, async () => sum)
    await turns.step(`${who} writes`, async () => {
      sum = read + 1
    })
  }
  return { actors: [add('one'), add('other')], sum: () => sum }
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
})
