import { signedCallback } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, saleOf } from './shop.ts'

const serverCallbackUrl = 'https://shop.example.com/callback'

let shop: JournalShop
afterEach(() => shop.close())

describe('callbacks through the inbox', () => {
  test('[G6-03] are acknowledged before the status check, which they cause', async () => {
    shop = await journalShop()
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ serverCallbackUrl }))
    await shop.gateway.settled()
    expect(shop.sent).toEqual(['sale'])
    await shop.journal.reconcile()
    expect(shop.sent).toEqual(['sale', 'status'])
    expect(shop.outcomes).toMatchObject([{ clientOrderId: intent.clientOrderId, status: 'approved' }])
  })

  test('[G6-05] that come a thousand times at once cause one status check in two seconds, and one call of the handler', async () => {
    shop = await journalShop()
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf())
    await shop.gateway.settled()
    const { clientOrderId, orderId = '' } = intent
    const query = signedCallback({ status: 'approved', orderId, clientOrderId }, shop.gateway.merchant.controlKey)
    const answers = await Promise.all(Array.from({ length: 1000 }, () => shop.callback(query)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await Promise.all(Array.from({ length: 4 }, () => shop.journal.reconcile()))
    expect(shop.outcomes).toHaveLength(1)
    expect(shop.sent).toEqual(['sale', 'status'])
    await shop.callback(query)
    await shop.journal.reconcile()
    expect(shop.sent).toEqual(['sale', 'status'])
    await shop.goOn(1, 2000)
    expect(shop.sent).toEqual(['sale', 'status', 'status'])
    expect(shop.outcomes).toHaveLength(1)
  })

  test('of an unknown order are stored and shown in the report', async () => {
    shop = await journalShop()
    const stranger = { status: 'approved', orderId: '123456789012345', clientOrderId: 'tSTRANGERz' }
    const query = signedCallback(stranger, shop.gateway.merchant.controlKey)
    expect(await shop.callback(query)).toMatchObject({ status: 200 })
    expect((await shop.journal.report()).orphans).toMatchObject([{ clientOrderId: 'tSTRANGERz', callbacks: 1 }])
  })

  test('that are forged are refused and cause nothing', async () => {
    shop = await journalShop()
    const query = signedCallback({ status: 'approved', orderId: '1', clientOrderId: 'a' }, 'another key')
    expect(await shop.callback(query)).toMatchObject({ status: 403 })
    expect((await shop.journal.report()).orphans).toEqual([])
  })
})

describe('a status of another amount', () => {
  test('[S6-04] is no outcome: it goes to review, with the reason', async () => {
    shop = await journalShop()
    shop.mishap('status', async (send) => {
      const exchange = await send()
      return exchange.kind === 'replied' ? { ...exchange, body: exchange.body.replaceAll('10.42', '1.42') } : exchange
    })
    await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toEqual([])
    expect(shop.events).toMatchObject([{ type: 'REVIEW', intent: { reviewReason: 'AMOUNT_DIFFERS' } }])
    expect((await shop.journal.report()).differingAmounts).toMatchObject([{ businessKey: 'invoice 77' }])
    const [intent] = (await shop.journal.report()).differingAmounts
    await shop.journal.resolveReview(intent?.intentId ?? '', 'ask-again', 'it was a proxy')
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([{ status: 'approved', amount: '1042' }])
  })
})

describe('a browser that comes back', () => {
  test('proves nothing, causes a status check, and gets what to show', async () => {
    shop = await journalShop()
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf())
    expect(await shop.journal.browserReturn('somebody-else')).toEqual({ shown: 'unknown-order' })
    await shop.gateway.settled()
    expect(await shop.journal.browserReturn(intent.clientOrderId)).toMatchObject({
      shown: 'approved',
      businessKey: 'invoice 77',
    })
  })
})

describe('the handler', () => {
  test('that throws is called again later, and later outcomes wait for it', async () => {
    shop = await journalShop()
    let isBroken = true
    const { createJournal } = await import('@tallystick/journal')
    const told: string[] = []
    const journal = createJournal({
      client: shop.client,
      store: shop.store,
      clock: shop.clock,
      handler: ({ outcome }) => {
        if (isBroken) throw new Error('no disk')
        told.push(outcome.key)
      },
      onNotice: 'ignore',
      onEvent: ({ type }) => void told.push(type),
    })
    const { intent } = await journal.pay('invoice 77', 'sale', saleOf())
    await shop.gateway.settled()
    await shop.clock.advance(5000)
    await journal.reconcile()
    expect(told).toEqual(['HANDLER_FAILED'])
    isBroken = false
    await journal.reconcile()
    expect(told).toEqual(['HANDLER_FAILED'])
    await shop.clock.advance(5000)
    await journal.reconcile()
    expect(told).toEqual(['HANDLER_FAILED', `${intent.clientOrderId}:1`])
  })
})
