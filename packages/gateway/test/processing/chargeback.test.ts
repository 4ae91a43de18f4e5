import { describe, expect, test } from 'vitest'
import { desk } from '../support/desk.ts'
import { committing } from '../support/stores.ts'

const NOTIFIED = { notify_url: 'https://shop.example.com/later' }
const typesOf = (calls: readonly string[]) => calls.map((url) => new URL(url).searchParams.get('type'))

describe('a chargeback', () => {
  test('[G13-22] charges back what was sold, and the shop is called at notify_url', async () => {
    const { gateway, sale, told, calls, store, clock } = desk()
    const ids = await sale(NOTIFIED)
    await clock.advance('1h')
    expect(await gateway.chargeback(ids.orderid)).toEqual({ ok: true, operationId: `${ids.orderid}-2` })
    await gateway.settled()
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'chargeback', status: 'approved', amount: '0.00' })
    expect(typesOf(calls)).toEqual(['sale', 'chargeback'])
    const [named, namedAgain] = calls.map((url) => {
      const { searchParams } = new URL(url)
      return [searchParams.get('approval-code'), searchParams.get('processor-tx-id')]
    })
    expect([namedAgain, named?.every((each) => each !== null)]).toEqual([named, true])
    const [soldAt, takenBackAt] = (await store.orderById(ids.orderid))?.operations.map(({ statusAt }) => statusAt) ?? []
    expect(await store.postingsOf(ids.orderid)).toMatchObject([
      { account: 'merchant', amount: 1042n, at: soldAt },
      { account: 'payer', amount: -1042n, at: soldAt },
      { account: 'merchant', amount: -1042n, at: takenBackAt },
      { account: 'payer', amount: 1042n, at: takenBackAt },
    ])
    expect(takenBackAt).toBe(clock.now())
    expect((await store.orderById(ids.orderid))?.operations[1]?.createdAt).toBe(takenBackAt)
  })

  test('of a part leaves the rest, also of what was captured', async () => {
    const { gateway, preauth, capture, told } = desk()
    const ids = await preauth()
    await capture(ids)
    expect(await gateway.chargeback(ids.orderid, '3.50')).toMatchObject({ ok: true })
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'chargeback', amount: '6.92' })
  })

  test.for([
    ['99.00', 'G13-22', 'the amount exceeds the captured or sold funds that are left'],
    ['0', 'order-money', 'the amount must be above zero'],
  ] as const)('of %s is refused by rule %s', async ([amount, rule, reason]) => {
    const { gateway, sale } = desk()
    const { orderid } = await sale()
    expect(await gateway.chargeback(orderid, amount)).toMatchObject({ ok: false, rule, reason })
  })

  test('of what is only held, or of no order, is refused', async () => {
    const { gateway, preauth } = desk()
    const { orderid } = await preauth()
    expect(await gateway.chargeback(orderid)).toMatchObject({ ok: false, rule: 'G13-22' })
    expect(await gateway.chargeback('123456789012345')).toMatchObject({ ok: false, rule: 'order' })
  })

  test("with the issuer's case id counts once however often it is recorded", async () => {
    const { gateway, sale, told, calls, store } = desk()
    const ids = await sale(NOTIFIED)
    const other = await sale()
    const tell = (orderId: string, amount: string | undefined, caseId: string) => {
      return gateway.chargeback(orderId, amount, caseId)
    }
    const first = { ok: true, operationId: `${ids.orderid}-2` }
    expect(await tell(ids.orderid, '2.00', 'CB-1')).toEqual(first)
    expect([await tell(ids.orderid, '2.00', 'CB-1'), await tell(ids.orderid, undefined, 'CB-1')]).toEqual([
      first,
      first,
    ])
    expect(await tell(ids.orderid, '3.00', 'CB-1')).toEqual({
      ok: false,
      rule: 'case',
      reason: 'this case charged back another amount',
    })
    expect(await tell(ids.orderid, '2.00', 'CB-2')).toEqual({ ok: true, operationId: `${ids.orderid}-3` })
    expect(await tell(other.orderid, '2.00', 'CB-1')).toEqual({ ok: true, operationId: `${other.orderid}-2` })
    const serialOf = async (orderId: string) => (await store.orderById(orderId))?.operations[1]?.serialNumber
    expect(await serialOf(ids.orderid)).not.toBe(await serialOf(other.orderid))
    await gateway.settled()
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'chargeback', amount: '6.42' })
    expect([typesOf(calls), (await store.postingsOf(ids.orderid)).length]).toEqual([
      ['sale', 'chargeback', 'chargeback'],
      6,
    ])
    const operations = (await store.orderById(ids.orderid))?.operations ?? []
    for (const { serialNumber } of operations) {
      expect(serialNumber).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    }
  })

  test('[F-B2] is recorded with who said it when it is repeated, contradicts or is refused', async () => {
    const { gateway, sale, store } = desk()
    const { orderid } = await sale()
    const by = { who: 'anna', why: 'notice' }
    for (const amount of ['1.00', '1.00', '2.00']) await gateway.chargeback(orderid, amount, 'case-1', by)
    await gateway.chargeback(orderid, '999.00', undefined, { who: 'boris', why: 'phone' })
    const records = (await store.operatorRecords({ orderId: orderid, limit: 9 })).toReversed()
    expect(records.map(({ who, act }) => [who, act])).toEqual([
      ['anna', 'chargeback'],
      ['anna', 'chargeback'],
      ['anna', 'chargeback'],
      ['boris', 'chargeback'],
    ])
    expect(records.map(({ after }) => after.replace(/: .*/, ''))).toEqual([
      'chargeback of 1.00 EUR',
      'recorded before',
      'refused',
      'refused',
    ])
  })

  test('that is recorded twice at once with its case id counts once', async () => {
    const { gateway, sale, told } = desk()
    const ids = await sale()
    const tell = () => gateway.chargeback(ids.orderid, '2.00', 'CB-1')
    expect(await Promise.all([tell(), tell()])).toEqual(Array(2).fill({ ok: true, operationId: `${ids.orderid}-2` }))
    expect(await told(ids)).toMatchObject({ amount: '8.42' })
  })

  test.for(['', null, 4711])('of a case whose id is %j is a mistake of the program', async (caseId) => {
    const { gateway, sale } = desk()
    const { orderid } = await sale()
    const told = gateway.chargeback(orderid, '1.00', caseId as string)
    await expect(told).rejects.toThrow("caseId must be the issuer's id")
  })

  test('of something that is not an amount is a mistake of the program', async () => {
    const { gateway, sale } = desk()
    const { orderid } = await sale()
    await expect(gateway.chargeback(orderid, '1,00')).rejects.toThrow('amount must be in major units')
  })

  test('that meets another change is decided again, on the changed order', async () => {
    const conflicts = [true]
    const store = committing(async (change, commit) => {
      const isChargeback = change.order?.order.operations.at(-1)?.kind === 'chargeback'
      return isChargeback && conflicts.pop() === true ? { ok: false, conflict: 'order' } : await commit()
    })
    const { gateway, sale, told } = desk({ store })
    const ids = await sale()
    expect(await gateway.chargeback(ids.orderid, '2.00')).toMatchObject({ ok: true })
    expect(conflicts).toEqual([])
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'chargeback', amount: '8.42' })
  })
})
