import { describe, expect, test } from 'vitest'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { committing } from '../support/stores.ts'

const MINUTE = 60_000

/** A desk whose store fails to write outcomes this many times. */
function refusing(times: number, error = new Error('the disk is full')) {
  const failedAt: number[] = []
  const store = committing(async ({ order }, commit) => {
    if (order === undefined || order.basedOn === 'nothing' || failedAt.length >= times) return await commit()
    failedAt.push(made.clock.now())
    throw error
  })
  const { acquirer, executed } = listening()
  const made: ReturnType<typeof desk> = desk({ store, acquirer })
  const start = made.clock.now()
  return { ...made, executed, waits: () => failedAt.map((at) => (at - start) / MINUTE) }
}

describe('an outcome that the store cannot take', () => {
  test('is written a minute later, with its callback; the acquirer is not asked again', async () => {
    const { sale, shown, clock, calls, executed, heard } = refusing(1)
    const ids = await sale({ server_callback_url: 'https://shop.example.com/cb' })
    expect((await shown(ids))[0]).toBe('processing')
    expect(heard).toHaveLength(1)
    await clock.advance('1m')
    expect((await shown(ids))[0]).toBe('approved')
    expect([calls.length, executed.length]).toEqual([1, 1])
  })

  test('is tried again less and less often, in the end once an hour, until it is written', async () => {
    const locked = Object.assign(new Error('the database is locked'), { code: 'ERR_SQLITE_ERROR' })
    const { sale, shown, clock, waits } = refusing(10, locked)
    const ids = await sale()
    await clock.advance('1d')
    expect(waits()).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    expect((await shown(ids))[0]).toBe('approved')
  })

  test('is left to the next process when the store is closed', async () => {
    const { sale, clock, waits } = refusing(10, Object.assign(new Error('closed'), { code: 'CLOSED' }))
    await sale()
    await clock.advance('1d')
    expect(waits()).toEqual([0])
  })
})
