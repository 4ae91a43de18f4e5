import { describe, expect, test } from 'vitest'
import { type Acquirer, type Decision, memoryStore, virtualClock } from '../../src/index.ts'
import type { AbandonedOperation } from '../../src/store/store.ts'
import type { Change, Store } from '../../src/store-port.ts'
import { APPROVED, deciding, declined, undecided } from '../support/acquirers.ts'
import type { Ids } from '../support/desk.ts'
import { STEPS } from '../support/issuer.ts'
import { fieldsOf, NOW, SALE, status } from '../support/signed-requests.ts'
import { committing, shared } from '../support/stores.ts'
import { serverToServer, threeDsDesk } from '../support/three-ds.ts'

const CHALLENGE: Decision = { status: 'processing', awaits: STEPS.challenge }
const METHOD: Decision = { status: 'processing', awaits: STEPS.method }

/** An acquirer that answers results only when the test decides, and asks for the step until then. */
function slow({ asks = CHALLENGE, ...changes }: Partial<Acquirer> & { readonly asks?: Decision } = {}) {
  const answer = Promise.withResolvers<Decision>()
  const taken: string[] = []
  let lookUps = 0
  const acquirer = deciding({
    execute: async () => asks,
    authenticate: (_, { step }) => {
      taken.push(step)
      return answer.promise
    },
    lookup: async (instruction) => {
      lookUps++
      return changes.lookup === undefined ? asks : await changes.lookup(instruction)
    },
  })
  return { acquirer, taken, lookUps: () => lookUps, decide: answer.resolve }
}

/** Uploads the result of the challenge, and does not wait for what that begins. */
async function bring(shop: Pick<ReturnType<typeof threeDsDesk>, 'gateway' | 'request'>, ids: Ids): Promise<number> {
  const fields = { 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes: 'e30' }
  return (await shop.gateway.handle(shop.request('/api/3ds/v1/upload-cres-result', fields))).status
}

/** The fields that upload a completed method step. */
function methodOf({ client_orderid, orderid }: Ids) {
  return { 'client-order-id': client_orderid, orderid, threeDSCompInd: 'Y' }
}

const [ACCEPTED, REFUSED] = [200, 400]

describe('the result of a 3DS step that the acquirer has not answered yet', () => {
  test('is not looked up, so that the customer cannot bring it twice', async () => {
    const { acquirer, taken, lookUps, decide } = slow()
    const desk = threeDsDesk({ acquirer })
    const ids = await desk.sale(serverToServer('challenge'))
    expect(await bring(desk, ids)).toBe(ACCEPTED)
    await desk.clock.advance('14m')
    expect(await bring(desk, ids)).toBe(REFUSED)
    expect([taken, lookUps()]).toEqual([['challenge'], 0])
    decide(APPROVED)
    await desk.gateway.settled()
    expect((await desk.shown(ids))[0]).toBe('approved')
    await desk.clock.advance('60d')
    expect([lookUps(), desk.heard]).toEqual([0, []])
  })

  test('is looked up once no answer can come any more', async () => {
    const { acquirer, taken, decide } = slow({ lookup: async () => APPROVED })
    const desk = threeDsDesk({ acquirer })
    const ids = await desk.sale(serverToServer('challenge'))
    await bring(desk, ids)
    await desk.clock.advance('15m')
    decide({ status: 'unknown' })
    await desk.gateway.settled()
    expect([taken, (await desk.shown(ids))[0]]).toEqual([['challenge'], 'approved'])
  })

  test('is written a minute later when the store does not take the answer', async () => {
    const inner = memoryStore()
    let isDown = false
    const commit: Store['commit'] = async (change, now) => {
      if (isDown) throw new Error('disk I/O error')
      return await inner.commit(change, now)
    }
    const { acquirer, lookUps, decide } = slow()
    const desk = threeDsDesk({ acquirer, store: { ...inner, commit } })
    const ids = await desk.sale(serverToServer('challenge'))
    await bring(desk, ids)
    isDown = true
    decide(APPROVED)
    await desk.gateway.settled()
    isDown = false
    await desk.clock.advance('1m')
    await desk.gateway.settled()
    expect([(await desk.shown(ids))[0], lookUps()]).toEqual(['approved', 0])
  })
})

describe('the result of a 3DS step, after the process that had it died', () => {
  /** The next process on the store of one that died without an answer to the result. */
  async function next(lookups: readonly Decision[], asks = CHALLENGE) {
    const died = slow({ asks })
    const first = threeDsDesk({ acquirer: died.acquirer })
    const ids = await first.sale(serverToServer('challenge'))
    if (asks === CHALLENGE) await bring(first, ids)
    else await first.gateway.handle(first.request('/api/3ds/v1/upload-method-url-result', methodOf(ids)))
    const left = [...lookups]
    const { acquirer, taken, decide } = slow({ lookup: async () => left.shift() ?? asks })
    const desk = threeDsDesk({ acquirer, store: first.store })
    await desk.recovered()
    await desk.clock.advance('1m')
    return { ...desk, ids, taken, decide }
  }

  test('is looked up after a minute', async () => {
    const { shown, ids } = await next([APPROVED])
    expect((await shown(ids))[0]).toBe('approved')
  })

  test('is not requested again: its outcome is unknown until the acquirer says more', async () => {
    const desk = await next([CHALLENGE, CHALLENGE, declined()])
    expect((await desk.shown(desk.ids))[0]).toBe('unknown')
    expect(await bring(desk, desk.ids)).toBe(REFUSED)
    await desk.clock.advance('20m')
    expect((await desk.shown(desk.ids))[0]).toBe('declined')
    expect(desk.taken).toEqual([])
  })

  test('is not followed by the step before it, which the acquirer may still report', async () => {
    const authenticate: Acquirer['authenticate'] = (_, { step }) =>
      step === 'method' ? Promise.resolve(CHALLENGE) : undecided().execute()
    const first = threeDsDesk({ acquirer: deciding({ execute: async () => METHOD, authenticate }) })
    const ids = await first.sale(serverToServer('challenge'))
    await first.ask('/api/3ds/v1/upload-method-url-result', methodOf(ids))
    expect(await bring(first, ids)).toBe(ACCEPTED)
    const { acquirer } = slow({ asks: METHOD })
    const desk = threeDsDesk({ acquirer, store: first.store })
    await desk.recovered()
    await desk.clock.advance('1m')
    expect((await desk.shown(ids))[0]).toBe('unknown')
  })

  test('is left to the operator if the acquirer says nothing else for 26 days', async () => {
    const { clock, ids, heard, shown, store } = await next([])
    await clock.advance('60d')
    expect((await shown(ids))[0]).toBe('unknown')
    expect(heard.map(([error]) => String(error))).toEqual([expect.stringContaining(`${ids.orderid}-1`)])
    expect(await store.nextDueAt()).toBeUndefined()
  })

  test('is looked up later if it comes before the look-up that asked for it has ended', async () => {
    let written: (change: Change) => Promise<void> = async () => {}
    const store = committing(async (change, commit) => {
      const committed = await commit()
      await written(change)
      return committed
    })
    const first = threeDsDesk({ acquirer: slow({ asks: METHOD }).acquirer, store })
    const ids = await first.sale(serverToServer('challenge'))
    await first.gateway.handle(first.request('/api/3ds/v1/upload-method-url-result', methodOf(ids)))
    const answers = [CHALLENGE, APPROVED]
    const { acquirer, taken } = slow({ lookup: async () => answers.shift() })
    const desk = threeDsDesk({ acquirer, store })
    written = async ({ order }) => {
      if (order?.order.operations[0]?.outcome.awaits?.step === 'challenge') await bring(desk, ids)
    }
    await desk.recovered()
    await desk.clock.advance('1m')
    await desk.clock.advance('20m')
    const { status: shown } = fieldsOf(await desk.gateway.handle(status(ids)))
    expect([taken, shown]).toEqual([['challenge'], 'approved'])
  })

  test('is followed by the next step if the acquirer has moved on to that', async () => {
    const desk = await next([CHALLENGE], METHOD)
    expect((await desk.told(desk.ids))['tds-status']).toBe('CReqForm')
    expect(await bring(desk, desk.ids)).toBe(ACCEPTED)
    desk.decide(APPROVED)
    await desk.gateway.settled()
    expect((await desk.shown(desk.ids))[0]).toBe('approved')
  })
})

/** A store that several processes share. One that is gone has left these operations. */
function sharedBy(inner: Store, left: AbandonedOperation[] = []): Store {
  return { ...inner, cluster: shared(async () => left.splice(0)).cluster }
}

test('[F-A13] an outcome that became unknown at a time that has been corrected since is that it was never carried out', async () => {
  const inner = memoryStore()
  const acquirer = deciding({ execute: async () => ({ status: 'unknown' }), lookup: async () => undefined })
  const ids = await threeDsDesk({ acquirer, store: sharedBy(inner) }).sale()
  const clock = virtualClock(NOW * 1000 - 365 * 86_400_000)
  const second = threeDsDesk({ acquirer, store: sharedBy(inner), clock })
  await second.recovered()
  await clock.advance('14m')
  expect((await second.shown(ids))[0]).toBe('unknown')
  await clock.advance('8m')
  expect((await second.shown(ids))[0]).toBe('error')
})

describe('the result of a 3DS step that another process brought to the acquirer', () => {
  /** One process has brought the result, and its time stands still. The time of the other goes on. */
  async function two(ahead = 0) {
    const inner = memoryStore()
    const bank = slow()
    const first = threeDsDesk({ acquirer: bank.acquirer, store: sharedBy(inner) })
    const ids = await first.sale(serverToServer('challenge'))
    await bring(first, ids)
    const second = threeDsDesk({
      acquirer: bank.acquirer,
      store: sharedBy(inner),
      clock: virtualClock(NOW * 1000 - ahead),
    })
    await second.recovered()
    return { bank, first, second, ids }
  }

  test('is not looked up for 15 minutes', async () => {
    const { bank, first, second, ids } = await two()
    await second.clock.advance(15 * 60_000 - 1)
    expect([await bring(second, ids), bank.lookUps()]).toEqual([REFUSED, 0])
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect((await second.shown(ids))[0]).toBe('approved')
  })

  test('[F-A13] is looked up although it was brought at a time that has been corrected since, and is not requested again', async () => {
    const { bank, second, ids } = await two(365 * 86_400_000)
    await second.clock.advance('16m')
    expect([bank.lookUps() > 0, await bring(second, ids), bank.taken]).toEqual([true, REFUSED, ['challenge']])
  })

  test('is not requested again after these, and its answer counts whenever it comes', async () => {
    const { bank, first, second, ids } = await two()
    await second.clock.advance('16m')
    expect(bank.lookUps()).toBe(1)
    expect(await bring(second, ids)).toBe(REFUSED)
    bank.decide(APPROVED)
    await first.gateway.settled()
    expect((await second.shown(ids))[0]).toBe('approved')
    expect(bank.taken).toEqual(['challenge'])
  })

  test('is not requested again by an earlier answer of the acquirer', async () => {
    const inner = memoryStore()
    const sent = Promise.withResolvers<Decision>()
    const first = threeDsDesk({ acquirer: deciding({ execute: () => sent.promise }), store: sharedBy(inner) })
    const fields = { ...SALE, ...serverToServer('challenge') }
    const { 'paynet-order-id': orderid = '' } = fieldsOf(
      await first.gateway.handle(first.request('/api/v2/sale', fields)),
    )
    const ids = { client_orderid: 'inv-1', orderid }
    const bank = slow()
    const left = [{ orderId: ids.orderid, operationId: `${ids.orderid}-1` }]
    const second = threeDsDesk({ acquirer: bank.acquirer, store: sharedBy(inner, left) })
    await second.recovered()
    expect(await bring(second, ids)).toBe(ACCEPTED)
    sent.resolve(CHALLENGE)
    await first.gateway.settled()
    expect([await bring(second, ids), first.heard]).toEqual([REFUSED, []])
    bank.decide(APPROVED)
    await second.gateway.settled()
    expect((await second.shown(ids))[0]).toBe('approved')
    expect(bank.taken).toEqual(['challenge'])
  })
})
