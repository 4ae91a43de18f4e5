import { describe, expect, test } from 'vitest'
import { type Decision, memoryStore, virtualClock } from '../../src/index.ts'
import type { Change, Store } from '../../src/store-port.ts'
import { APPROVED, deciding, declined, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk, refusal } from '../support/desk.ts'
import { issuer } from '../support/issuer.ts'
import { NOW } from '../support/signed-requests.ts'
import { committing, recording } from '../support/stores.ts'

const NOTIFY = 'https://shop.example.com/notify'
const CALLBACK = 'https://shop.example.com/callback'
const RELEASED = ['approved', 'cancel', 'cancel_approved', '0.00', '10.42']
const DAY = 86_400_000
const isRelease = ({ order }: Change) => order?.order.operations.at(-1)?.kind === 'cancel'

/** An acquirer with this answer to releases, and the releases that it was asked for. */
function releasing(answer: () => Promise<Decision>) {
  const inner = deciding({})
  const released: string[] = []
  const acquirer = deciding({
    execute: async (instruction) => {
      if (instruction.kind !== 'cancel') return await inner.execute(instruction)
      released.push(instruction.reference)
      return await answer()
    },
  })
  return { acquirer, released }
}

const query = (url: string | undefined) => Object.fromEntries(new URL(url ?? '').searchParams)

describe('a hold that expires', () => {
  test('[S3-01] [G13-17] is released after 7 days, and not a moment earlier', async () => {
    const { preauth, shown, clock } = desk()
    const ids = await preauth()
    await clock.advance(7 * 86_400_000 - 1)
    expect((await shown(ids))[1]).toBe('preauth')
    await clock.advance(1)
    expect(await shown(ids)).toEqual(RELEASED)
  })

  test('[G13-17] is released by a clock that has fractions, and is stored without them', async () => {
    const { store, changes } = recording()
    const { preauth, shown, clock } = desk({ store, clock: virtualClock(NOW * 1000 + 0.5) })
    const ids = await preauth({ server_callback_url: CALLBACK })
    await clock.advance('7d')
    expect(await shown(ids)).toEqual(RELEASED)
    const numbers: number[] = []
    JSON.stringify(changes, (_, value) => {
      if (typeof value === 'number') numbers.push(value)
      return typeof value === 'bigint' ? String(value) : value
    })
    expect(numbers.filter((each) => !Number.isInteger(each))).toEqual([])
  })

  test('[G3.1-04] [G13-17] is reported to notify_url: server_callback_url gets only the authorization', async () => {
    const { preauth, clock, calls } = desk()
    const ids = await preauth({ server_callback_url: CALLBACK, notify_url: NOTIFY })
    await clock.advance('7d')
    expect(calls.map((url) => new URL(url).pathname)).toEqual(['/callback', '/notify'])
    expect(query(calls[1])).toMatchObject({ type: 'cancel', status: 'approved', amount: '10.42', orderid: ids.orderid })
  })

  test('[S1-04] after a partial capture is released except for what was captured', async () => {
    const { preauth, capture, shown, clock } = desk()
    const ids = await preauth()
    await capture(ids, { amount: '4.00', currency: 'EUR' })
    await clock.advance('7d')
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '4.00', '10.42'])
  })

  test('of an authorization that is captured or voided in full releases nothing', async () => {
    const { preauth, capture, void: cancel, clock, store } = desk()
    const [captured, voided] = [await preauth(), await preauth()]
    await capture(captured)
    await cancel(voided)
    await clock.advance('30d')
    for (const { orderid } of [captured, voided]) expect((await store.orderById(orderid))?.operations).toHaveLength(2)
    expect(await store.nextDueAt()).toBeUndefined()
  })

  test('continues while a capture has no outcome, and is released if the capture fails', async () => {
    const { execute, decide } = undecided()
    const inner = deciding({})
    const acquirer = deciding({
      execute: (instruction) => (instruction.kind === 'capture' ? execute() : inner.execute(instruction)),
      lookup: async () => UNKNOWN,
    })
    const { gateway, preauth, request, shown, clock, store } = desk({ acquirer })
    const ids = await preauth()
    await gateway.handle(request('/api/v2/capture', ids))
    await clock.advance('8d')
    expect((await store.orderById(ids.orderid))?.operations).toMatchObject([{ kind: 'preauth' }, { kind: 'capture' }])
    decide(declined())
    await gateway.settled()
    await clock.advance('1d')
    expect(await shown(ids)).toEqual(RELEASED)
  })

  test('can no longer be captured or voided, even at the moment before its release', async () => {
    const store = committing(async (change, commit) =>
      isRelease(change) ? { ok: false, conflict: 'order' } : await commit(),
    )
    const { preauth, capture, void: cancel, clock } = desk({ store })
    const ids = await preauth()
    await clock.advance('7d')
    expect(refusal(await capture(ids))).toBe('9: Refused by rule G13-17: the hold has expired.')
    expect(refusal(await cancel(ids))).toMatch(/^9: Refused by rule G13-17/)
  })

  test('of an order that changed at the moment of its release is released a minute later', async () => {
    let races = 0
    const store = committing(async (change, commit) =>
      isRelease(change) && races++ === 0 ? { ok: false, conflict: 'order' } : await commit(),
    )
    const { acquirer, released } = releasing(async () => APPROVED)
    const { preauth, shown, clock } = desk({ acquirer, store })
    const ids = await preauth()
    await clock.advance('7d')
    // The acquirer is not asked for a release that was not written, since a capture may have been written instead.
    expect([(await shown(ids))[1], released]).toEqual(['preauth', []])
    await clock.advance('1m')
    expect(await shown(ids)).toEqual(RELEASED)
    expect(released).toEqual([`${ids.orderid}-2`])
  })

  test('of an order that is read while the clock is set back is released a minute later', async () => {
    const inner = virtualClock(NOW * 1000)
    let behind = 0
    const kept = memoryStore()
    const store: Store = {
      ...kept,
      claimTasks: async (claim) => {
        const claimed = await kept.claimTasks(claim)
        if (claimed.length > 0) behind = 5
        return claimed
      },
    }
    const { preauth, shown, clock } = desk({ store, clock: { ...inner, now: () => inner.now() - behind } })
    const ids = await preauth()
    await clock.advance('7d')
    expect((await shown(ids))[1]).toBe('preauth')
    await clock.advance('2m')
    expect(await shown(ids)).toEqual(RELEASED)
  })

  test('whose release the acquirer does not know of is looked up', async () => {
    const inner = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'cancel' ? UNKNOWN : await inner.execute(instruction)),
    })
    const { preauth, shown, clock } = desk({ acquirer })
    const ids = await preauth()
    await clock.advance('7d')
    expect((await shown(ids)).slice(0, 2)).toEqual(['unknown', 'cancel'])
    await clock.advance('1m')
    expect(await shown(ids)).toEqual(RELEASED)
  })

  test('whose release is declined is released later, after a minute and then less and less often', async () => {
    const inner = deciding({})
    const releases: number[] = []
    const { preauth, shown, clock, store } = desk({
      acquirer: deciding({
        execute: async (instruction) => {
          if (instruction.kind !== 'cancel') return await inner.execute(instruction)
          releases.push(clock.now())
          return releases.length < 4 ? declined() : await inner.execute(instruction)
        },
      }),
    })
    const ids = await preauth()
    const expiry = clock.now() + 7 * DAY
    await clock.advance('9d')
    expect(releases.map((at) => (at - expiry) / 60_000)).toEqual([0, 1, 6, 21])
    expect(await shown(ids)).toEqual(RELEASED)
    expect(await store.nextDueAt()).toBeUndefined()
  })

  test('whose release is always declined is left to the operator after 30 tries', async () => {
    const inner = deciding({})
    const acquirer = deciding({
      execute: (instruction) =>
        instruction.kind === 'cancel' ? Promise.resolve(declined()) : inner.execute(instruction),
    })
    const heard: string[] = []
    const { preauth, clock, store } = desk({ acquirer, onError: (error) => void heard.push(String(error)) })
    const { orderid } = await preauth()
    await clock.advance('30d')
    expect(heard).toEqual([])
    await clock.advance('30d')
    expect((await store.orderById(orderid))?.operations).toHaveLength(1 + 30)
    expect(await store.nextDueAt()).toBeUndefined()
    expect(heard).toEqual([
      `Error: The hold of the order ${orderid} could not be released in 30 tries, and is not tried again: ask the acquirer to release it`,
    ])
  })

  test('whose release is approved at the last of 30 tries is not left to the operator', async () => {
    let declines = 29
    const { acquirer, released } = releasing(async () => (declines-- > 0 ? declined() : APPROVED))
    const { preauth, shown, clock, heard } = desk({ acquirer })
    const ids = await preauth()
    await clock.advance('60d')
    expect([released.length, heard, await shown(ids)]).toEqual([30, [], RELEASED])
  })

  test('that an operation without an outcome holds up is left to the operator after 30 tries too', async () => {
    const inner = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'capture' ? UNKNOWN : await inner.execute(instruction)),
      lookup: async () => UNKNOWN,
    })
    const heard: string[] = []
    const { preauth, capture, clock } = desk({ acquirer, onError: (error) => void heard.push(String(error)) })
    const ids = await preauth()
    await capture(ids)
    await clock.advance('60d')
    expect(heard).toContain(
      `Error: The hold of the order ${ids.orderid} could not be released in 30 tries, and is not tried again: ask the acquirer to release it`,
    )
  })

  test('is released by the next process when none ran while it expired', async () => {
    const { preauth, gateway, store, clock } = desk()
    const ids = await preauth()
    await gateway.close()
    await clock.advance('30d')
    const next = desk({ store, clock })
    await next.recovered()
    expect(await next.shown(ids)).toEqual(RELEASED)
  })

  test('does not begin before the authorization is approved', async () => {
    const { preauth, ask, shown, clock, store } = desk()
    const ids = await preauth({ cvv2: '321' })
    await clock.advance('10m')
    const cRes = await issuer(store).cRes(ids.orderid)
    const upload = { 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes }
    await ask('/api/3ds/v1/upload-cres-result', upload)
    await clock.advance(7 * 86_400_000 - 1)
    expect((await shown(ids))[1]).toBe('preauth')
    await clock.advance(1)
    expect(await shown(ids)).toEqual(RELEASED)
  })
})
