import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { FaultPlan } from '../../src/faults/fault-plan.ts'
import { withOutcomeFaults } from '../../src/faults/order-faults.ts'
import { FAULTS, memoryStore } from '../../src/index.ts'
import { APPROVED, deciding, ORIGIN } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { post, SHOP, sale } from '../support/signed-requests.ts'

/** Faults of orders that give them little to do. */

const CALLED = { server_callback_url: 'https://shop.example.com/cb' }

const fits = (url: string) => {
  const { status = '', orderid = '', client_orderid = '', control } = Object.fromEntries(new URL(url).searchParams)
  return (
    control ===
    createHash('sha1')
      .update(status + orderid + client_orderid + SHOP.controlKey)
      .digest('hex')
  )
}

describe('a fault of an outcome', () => {
  test('that an amount stands for affects only the operation that opened the order', async () => {
    const { preauth, capture, told, clock } = desk({ sandbox: true })
    const ids = await preauth({ amount: '666.08' })
    await clock.advance('1m')
    await capture(ids)
    expect(await told(ids)).toMatchObject({ status: 'approved', 'transaction-type': 'capture', amount: '666.08' })
  })

  test('that a card stands for affects a payout to it too', async () => {
    const { payout, told, clock } = desk({ sandbox: true })
    const ids = await payout({ credit_card_number: FAULTS['unknown-then-declined'].card })
    expect((await told(ids))['status']).toBe('unknown')
    await clock.advance('1m')
    expect((await told(ids))['status']).toBe('declined')
  })

  test('stays when the requested faults are cleared: the acquirer does not know the operation', async () => {
    const { gateway, sale, told, clock } = desk({ sandbox: true })
    gateway.faults.next('sale', 'unknown-then-declined')
    const ids = await sale()
    gateway.faults.clear()
    await clock.advance('1m')
    expect((await told(ids))['status']).toBe('declined')
  })
})

test('blanks around a client order id do not matter, as everywhere in the gateway', async () => {
  const { gateway } = desk({ sandbox: true })
  gateway.faults.forOrder('inv-1', 'overloaded')
  expect((await gateway.handle(sale({ client_orderid: ' inv-1 ' }))).status).toBe(503)
})

describe('an order with a fault', () => {
  test.for(['callback-forged', 'callback-shifted'] as const)(
    '%s is lied about once, however often it is called',
    async (fault) => {
      const statuses = [200, 503, 200]
      const asked: string[] = []
      const sendCallback = async (url: string) => {
        asked.push(url)
        return { status: statuses.shift() ?? 200 }
      }
      const { gateway, sale, clock } = desk({ sandbox: true, sendCallback })
      gateway.faults.next('sale', fault)
      await sale(CALLED)
      await clock.advance('1m')
      expect(asked).toHaveLength(3)
      expect(asked[2]).toBe(asked[1])
    },
  )

  test('whose id has a blank is shifted so that the control fits', async () => {
    const { gateway, calls, sale } = desk({ sandbox: true })
    gateway.faults.next('sale', 'callback-shifted')
    await sale({ ...CALLED, client_orderid: 'inv 1+2' })
    expect(calls.map(fits)).toEqual([true, true])
    expect(new URL(calls[0] ?? '').searchParams.get('client_orderid')).toMatch(/^\dinv 1\+2$/)
  })

  test('whose first callback was sent does not get it again after the next', async () => {
    const { gateway, calls, sale, clock, return: giveBack } = desk({ sandbox: true })
    gateway.faults.next('sale', 'callback-out-of-order')
    const ids = await sale({ ...CALLED, notify_url: 'https://shop.example.com/later' })
    await clock.advance('1d')
    await giveBack(ids)
    await clock.advance('2d')
    expect(calls).toHaveLength(2)
  })

  test('of which nothing was refunded is not charged back', async () => {
    const { gateway, sale, clock, told } = desk({ sandbox: true })
    gateway.faults.next('sale', 'chargeback-after-return')
    const ids = await sale()
    await clock.advance('1h')
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'sale', amount: '10.42' })
  })

  test('and no address has no callback to be late, lost or lied about', async () => {
    const { gateway, calls, sale } = desk({ sandbox: true })
    for (const fault of ['callback-delayed', 'callback-never', 'callback-out-of-order', 'callback-forged'] as const) {
      gateway.faults.next('sale', fault)
      await sale()
    }
    expect(calls).toEqual([])
  })

  test('whose first callback waits for another that never comes is called a day later', async () => {
    const { gateway, calls, sale, clock } = desk({ sandbox: true })
    gateway.faults.next('sale', 'callback-out-of-order')
    await sale(CALLED)
    await clock.advance(86_399_999)
    expect(calls).toEqual([])
    await clock.advance(1)
    expect(calls).toHaveLength(1)
  })

  test('that was refunded in full has nothing left to charge back', async () => {
    const { gateway, sale, clock, told, return: giveBack, heard } = desk({ sandbox: true })
    gateway.faults.next('sale', 'chargeback-after-return')
    const ids = await sale()
    await giveBack(ids)
    await clock.advance('1h')
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'reversal', status: 'approved' })
    expect(heard).toEqual([])
  })

  test('that is charged back has its shop called once, even if the clock is advanced far beyond that', async () => {
    const types: (string | null)[] = []
    const sendCallback = async (url: string) => {
      types.push(new URL(url).searchParams.get('type'))
      await setImmediate()
      return { status: 200 }
    }
    const { gateway, sale, clock, return: giveBack } = desk({ sandbox: true, sendCallback })
    gateway.faults.next('sale', 'chargeback-after-return')
    const ids = await sale({ ...CALLED, notify_url: CALLED.server_callback_url })
    await giveBack(ids, { amount: '1.00', currency: 'EUR' })
    await gateway.settled()
    await clock.advance('1h')
    expect(types).toEqual(['sale', 'reversal', 'chargeback'])
  })

  test('without money has no amount that could differ', async () => {
    const { gateway, calls, verification } = desk({ sandbox: true })
    gateway.faults.next('accountVerification', 'callback-amount-differs')
    await verification(CALLED)
    expect(calls).toHaveLength(1)
    expect(new URL(calls[0] ?? '').searchParams.has('amount')).toBe(false)
  })

  test('whose shop does not answer the false callbacks still gets the true one', async () => {
    const asked: string[] = []
    const sendCallback = async (url: string) => {
      asked.push(url)
      if (asked.length === 1) throw new Error('nobody there')
      return { status: 200 }
    }
    const { gateway, sale } = desk({ sandbox: true, sendCallback })
    gateway.faults.next('sale', 'callback-shifted')
    await sale(CALLED)
    expect(asked).toHaveLength(2)
    expect((await gateway.sandbox?.orders({ limit: 1 }))?.[0]?.callbacks).toMatchObject([{ state: 'acknowledged' }])
  })
})

test('an operation that is carried out is not read again for its fault', async () => {
  const store = memoryStore()
  const orderById = vi.spyOn(store, 'orderById')
  const { sale } = desk({ sandbox: true, store })
  await sale()
  expect(orderById).not.toHaveBeenCalled()
})

test('an operation that is looked up has the fault of a card that another process took from the form', async () => {
  const { sale, store } = desk({ sandbox: true })
  const { orderid } = await sale({ credit_card_number: FAULTS['unknown-then-declined'].card })
  const paid = await store.orderById(orderid)
  const [operation] = paid?.operations ?? []
  if (paid === undefined || operation === undefined) throw new Error('the sale is there')
  const { card: _, ...details } = paid.details
  const acquirer = withOutcomeFaults(deciding({}), new FaultPlan(undefined, () => 0), {
    asWritten: async () => ({ ...paid, details }),
    orderById: async () => paid,
  })
  const { id: reference, kind, amount } = operation
  const instruction = { reference, kind, amount, orderId: orderid, currency: paid.terms.currency, token: '' }
  expect(
    await acquirer.lookup({ ...instruction, ...ORIGIN, history: [], decimals: 2, browser: undefined }),
  ).toMatchObject({
    status: 'declined',
  })
})

test('a customer of a sandbox is authenticated as anywhere else', async () => {
  const acquirer = deciding({ authenticate: async () => APPROVED })
  const { sale, told, ask } = desk({ sandbox: true, acquirer })
  const ids = await sale({ cvv2: '321' })
  expect(await told(ids)).toMatchObject({ status: 'processing' })
  await ask('/api/3ds/v1/upload-cres-result', {
    'client-order-id': ids.client_orderid,
    orderid: ids.orderid,
    cRes: 'e30',
  })
  expect(await told(ids)).toMatchObject({ status: 'approved' })
})

test('a request that cannot be read is answered as usual', async () => {
  const { gateway } = desk({ sandbox: true, faults: { seed: 1, only: ['overloaded'] } })
  expect((await gateway.handle(post('/api/v2/sail/1111', 'a=1'))).status).toBe(404)
  expect((await gateway.handle({ ...post('/api/v2/sale/1111', 'a=1'), method: 'GET' })).status).toBe(405)
  expect((await gateway.handle(post('/api/v2/sale/1111', 'a=1'))).status).toBe(403)
})
