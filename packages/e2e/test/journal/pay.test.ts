import { buildInput, cards } from '@tallystick/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type JournalShop, journalShop, neverLeft, replyLost, requestLost, saleOf } from './shop.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let shop: JournalShop
afterEach(() => shop.close())

const salesSent = () => shop.sent.filter((operation) => operation === 'sale').length

describe('a payment through the journal', () => {
  test('is accepted, becomes final by the signed status, and is handed over once', async () => {
    shop = await journalShop()
    const paid = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    expect(paid).toMatchObject({ outcome: 'accepted', intent: { state: 'ACCEPTED', attempt: 1, amounts: ['1042'] } })
    await shop.goOn(3, 5000)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([{ state: 'FINAL', status: 'approved' }])
    expect(shop.outcomes).toMatchObject([
      { kind: 'outcome', businessKey: 'invoice 77', status: 'approved', amount: '1042', currency: 'USD', number: 1 },
    ])
  })

  test('asked for again on another site of the shop leads to the same form', async () => {
    shop = await journalShop()
    const { clientOrderId: _, ...form } = buildInput('saleForm')
    const at = (site: string) => ({ ...form, redirectUrl: `${site}/return`, serverCallbackUrl: `${site}/callback` })
    const first = await shop.journal.pay('invoice 77', 'saleForm', at('https://shop.example.com'))
    const again = await shop.journal.pay('invoice 77', 'saleForm', at('https://www.shop.example.com'))
    expect(first.intent.redirectUrl).toMatch(/form/)
    expect(again).toMatchObject({ outcome: 'accepted', intent: { attempt: 1, redirectUrl: first.intent.redirectUrl } })
  })

  test('asked for again gives its state, and sends nothing', async () => {
    shop = await journalShop()
    const input = saleOf()
    await shop.journal.pay('invoice 77', 'sale', input)
    expect(await shop.journal.pay('invoice 77', 'sale', input)).toMatchObject({ outcome: 'accepted' })
    await shop.goOn(2, 5000)
    expect(await shop.journal.pay('invoice 77', 'sale', input)).toMatchObject({
      outcome: 'final',
      intent: { status: 'approved' },
    })
    expect(salesSent()).toBe(1)
  })

  test('asked for in many calls at once is sent once', async () => {
    shop = await journalShop()
    const input = saleOf()
    const results = await Promise.all(Array.from({ length: 20 }, () => shop.journal.pay('invoice 77', 'sale', input)))
    expect(new Set(results.map(({ intent }) => intent.intentId)).size).toBe(1)
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
    expect(salesSent()).toBe(1)
  })

  test('whose reply is lost is unknown, and found by its status', async () => {
    shop = await journalShop()
    shop.mishap('sale', replyLost)
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf())).toMatchObject({ outcome: 'unknown' })
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([{ status: 'approved' }])
    expect(salesSent()).toBe(1)
  })

  test.for([
    ['the reply', replyLost],
    ['the request', requestLost],
  ] as const)('by a form gets its address by the very same request again, if %s was lost', async ([, mishap]) => {
    shop = await journalShop()
    const { clientOrderId: _, ...form } = buildInput('saleForm')
    shop.mishap('sale-form', mishap)
    const { outcome, intent } = await shop.journal.pay('invoice 77', 'saleForm', form)
    expect(outcome).toBe('unknown')
    const again = await shop.client.saleForm({ ...form, clientOrderId: intent.clientOrderId })
    const { redirectUrl = '' } = again.outcome === 'accepted' ? again.reply : {}
    expect(await shop.gateway.payOnPages(redirectUrl, cards.approved)).toMatchObject({
      fields: { status: 'approved', client_orderid: intent.clientOrderId },
    })
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([{ businessKey: 'invoice 77', status: 'approved', number: 1 }])
    expect(shop.events).toEqual([])
  })

  test('that the gateway refuses is rejected once the status has confirmed that nothing was created', async () => {
    shop = await journalShop({ currencies: ['EUR'] })
    const paid = await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.42' }))
    expect(paid).toMatchObject({ outcome: 'rejected', error: { code: 'REJECTED' } })
    expect(new Set(shop.sent)).toEqual(new Set(['sale', 'status']))
    expect(salesSent()).toBe(1)
  })

  test('that does not fit its model never leaves, and is replaced by the fixed one', async () => {
    shop = await journalShop()
    const lacking = saleOf()
    expect(await shop.journal.pay('invoice 77', 'sale', { ...lacking, email: '' })).toMatchObject({
      outcome: 'notSent',
      error: { code: 'INVALID_INPUT' },
    })
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf())).toMatchObject({
      outcome: 'accepted',
      intent: { attempt: 2 },
    })
  })

  test('that never left in five sends is given up, and the next attempt may be made', async () => {
    shop = await journalShop()
    const input = saleOf()
    for (let sends = 1; sends <= 5; sends++) {
      shop.mishap('sale', neverLeft)
      expect(await shop.journal.pay('invoice 77', 'sale', input)).toMatchObject({
        outcome: 'notSent',
        intent: { sends },
      })
    }
    expect(await shop.journal.pay('invoice 77', 'sale', input)).toMatchObject({ outcome: 'rejected' })
    expect(salesSent()).toBe(5)
    expect(await shop.journal.pay('invoice 77', 'sale', input, { attempt: 2 })).toMatchObject({
      outcome: 'accepted',
      intent: { attempt: 2, sends: 1 },
    })
  })

  test('that was declined frees its key for the next attempt, which has to be asked for', async () => {
    shop = await journalShop()
    const declined = saleOf(cards.insufficientFunds)
    await shop.journal.pay('invoice 77', 'sale', declined)
    await shop.goOn(2, 5000)
    expect(await shop.journal.pay('invoice 77', 'sale', declined)).toMatchObject({
      outcome: 'final',
      intent: { status: 'declined', attempt: 1 },
    })
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf(cards.approved), { attempt: 2 })).toMatchObject({
      outcome: 'accepted',
      intent: { attempt: 2 },
    })
    await shop.goOn(2, 5000)
    expect(shop.outcomes).toMatchObject([
      { status: 'declined', errorCode: '116', errorMessage: 'Not sufficient funds' },
      { status: 'approved' },
    ])
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf(cards.approved), { attempt: 3 })).toMatchObject({
      outcome: 'final',
      intent: { attempt: 2 },
    })
  })

  test.for([1, 3])(
    'that was declined is returned if attempt %i is asked for, and only the second is sent',
    async (attempt) => {
      shop = await journalShop()
      const declined = saleOf(cards.insufficientFunds)
      await shop.journal.pay('invoice 77', 'sale', declined)
      await shop.goOn(2, 5000)
      expect(await shop.journal.pay('invoice 77', 'sale', declined, { attempt })).toMatchObject({
        outcome: 'final',
        intent: { status: 'declined', attempt: 1 },
      })
      expect(salesSent()).toBe(1)
    },
  )

  test('under a key that was used for another request is a conflict', async () => {
    shop = await journalShop()
    await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '10.00' }))
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf({ amount: '20.00' }))).toMatchObject({
      outcome: 'conflict',
    })
    expect(salesSent()).toBe(1)
  })
})

describe('a payment that never arrived', () => {
  test('is presumed absent only after 15 minutes of signed answers, while the gateway knows other orders', async () => {
    shop = await journalShop()
    await shop.journal.pay('invoice 76', 'sale', saleOf())
    await shop.goOn(1, 5000)
    shop.mishap('sale', requestLost)
    await shop.journal.pay('invoice 77', 'sale', saleOf())
    await shop.goOn(16, MINUTE)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([{ state: 'UNKNOWN' }])
    await shop.goOn(10, MINUTE)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([{ state: 'PRESUMED_ABSENT' }])
    expect(shop.events).toMatchObject([{ type: 'PRESUMED_ABSENT' }])
    expect(await shop.journal.pay('invoice 77', 'sale', saleOf())).toMatchObject({ outcome: 'absent' })
    expect(salesSent()).toBe(2)
  })

  test('is not presumed absent at a gateway that knows no order at all', async () => {
    shop = await journalShop()
    shop.mishap('sale', requestLost)
    await shop.journal.pay('invoice 77', 'sale', saleOf())
    await shop.goOn(40, MINUTE)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([{ state: 'UNKNOWN' }])
  })

  test('and arrives days later is still watched: a suspected double charge is reported', async () => {
    shop = await journalShop()
    await shop.journal.pay('invoice 76', 'sale', saleOf())
    await shop.goOn(1, 5000)
    let late = async (): Promise<unknown> => undefined
    shop.mishap('sale', async (send) => {
      late = send
      return await requestLost()
    })
    await shop.journal.pay('invoice 77', 'sale', saleOf())
    await shop.goOn(30, MINUTE)
    await shop.journal.pay('invoice 77', 'sale', saleOf(), { attempt: 2 })
    await shop.goOn(1, MINUTE)
    await late()
    await shop.goOn(48, 30 * MINUTE)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([
      { state: 'FINAL', status: 'approved' },
      { state: 'FINAL', status: 'approved' },
    ])
    expect(shop.events.map(({ type }) => type)).toEqual(['PRESUMED_ABSENT', 'ARRIVED_LATE', 'DOUBLE_CHARGE_SUSPECTED'])
    expect((await shop.journal.report()).suspectedDoubles).toHaveLength(2)
    const [first] = await shop.journal.attempts('invoice 77')
    const order = { clientOrderId: first?.clientOrderId ?? '', orderId: first?.orderId ?? '' }
    await shop.journal.pay('double of 77', 'return', { ...order, comment: 'charged twice' })
    await shop.goOn(2, 5000)
    expect((await shop.journal.report()).suspectedDoubles).toEqual([])
  })

  test('is watched for thirty days', async () => {
    shop = await journalShop()
    await shop.journal.pay('invoice 76', 'sale', saleOf())
    await shop.goOn(1, 5000)
    shop.mishap('sale', requestLost)
    await shop.journal.pay('invoice 77', 'sale', saleOf())
    await shop.goOn(30, MINUTE)
    await shop.goOn(29, DAY)
    expect(await shop.journal.attempts('invoice 77')).toMatchObject([{ nextCheckAt: expect.any(Number) }])
    await shop.goOn(3, DAY)
    const [watched] = await shop.journal.attempts('invoice 77')
    expect([watched?.state, watched?.nextCheckAt]).toEqual(['PRESUMED_ABSENT', undefined])
  })
})
