import { describe, expect, test } from 'vitest'
import type { JournalEvent } from '../../src/index.ts'
import { memoryJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { rebill, replied, shopProcess } from '../shop-process.ts'

/** A journal that pays, and the events that its listener is called with. */
function shop(options: { readonly handler?: () => void }) {
  const heard: JournalEvent['type'][] = []
  const clock = handClock()
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer: async () => replied({ type: 'async-response', 'paynet-order-id': '9' }),
    onEvent: ({ type }) => void heard.push(type),
    ...options,
  })
  let payments = 0
  const payAfter = async (milliseconds: number) => {
    await clock.goOn(milliseconds)
    payments += 1
    await journal.pay({ profile: 'p', period: `${payments}` }, 'makeRebill', rebill)
  }
  return { journal, heard, payAfter }
}

const handler = () => {}

describe('a journal with a handler that was never started', () => {
  test('says so once, when it has paid for a minute', async () => {
    const { payAfter, heard } = shop({ handler })
    await payAfter(3_600_000)
    await payAfter(59_999)
    expect(heard).toEqual([])
    await payAfter(1)
    await payAfter(60_000)
    expect(heard).toEqual(['NOT_STARTED'])
  })

  test.each(['start', 'reconcile', 'settled'] as const)('is not one on which %s was called', async (begin) => {
    const { journal, payAfter, heard } = shop({ handler })
    await payAfter(0)
    await journal[begin]()
    await payAfter(60_000)
    expect(heard).toEqual([])
    await journal.close()
  })

  test('is not one that leaves its outcomes to another process', async () => {
    const { payAfter, heard } = shop({})
    await payAfter(0)
    await payAfter(60_000)
    expect(heard).toEqual([])
  })
})
