import { describe, expect, test } from 'vitest'
import type { FinalDecision } from '../../src/index.ts'
import { ANNA, APPROVED, deciding, declined, UNKNOWN, undecided } from '../support/acquirers.ts'
import { desk, MONEY } from '../support/desk.ts'
import { fieldsOf, SALE } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'

const CALLBACK = { server_callback_url: 'https://shop.example.com/callback' }
const NOTIFIED = { notify_url: 'https://shop.example.com/later' }
const FOUND = { status: 'approved', approvalCode: '778899', processorTxId: 'tx-9' } as const
const NOT_CARRIED_OUT = { status: 'error', errorCode: '6', errorMessage: 'Never arrived' } as const
const forgetful = deciding({ execute: async () => UNKNOWN, lookup: async () => UNKNOWN })
type Desk = ReturnType<typeof desk>
const statusesOf = (calls: readonly string[]) => calls.map((url) => new URL(url).searchParams.get('status'))

describe('an outcome that an operator records', () => {
  test('is written after the look-ups have ended, with postings and callback as if from the acquirer', async () => {
    const { gateway, sale, told, clock, calls, store, heard } = desk({ acquirer: forgetful })
    const ids = await sale(CALLBACK)
    await clock.advance('40d')
    expect([statusesOf(calls), heard.length]).toEqual([['unknown'], 1])
    expect(await gateway.recordOutcome(`${ids.orderid}-1`, FOUND, ANNA)).toEqual({ ok: true })
    await gateway.settled()
    expect(await told(ids)).toMatchObject({
      status: 'approved',
      amount: '10.42',
      'approval-code': '778899',
      'processor-tx-id': 'tx-9',
    })
    expect(statusesOf(calls)).toEqual(['unknown', 'approved'])
    expect(await store.postingsOf(ids.orderid)).toHaveLength(2)
  })

  test('[F-B2] is recorded with who said it when it is repeated or contradicts', async () => {
    const told: unknown[] = []
    const onRecord = (record: { readonly after: string }) => void told.push(record.after)
    const { gateway, sale, store } = desk({ acquirer: forgetful, onRecord })
    const { orderid } = await sale()
    const BORIS = { who: 'boris', why: 'phone' }
    await gateway.recordOutcome(`${orderid}-1`, FOUND, ANNA)
    await gateway.recordOutcome(`${orderid}-1`, FOUND, ANNA)
    await gateway.recordOutcome(`${orderid}-1`, NOT_CARRIED_OUT, BORIS)
    const records = (await store.operatorRecords({ orderId: orderid, limit: 9 })).toReversed()
    expect(records.map(({ who, before, after }) => [who, before, after])).toEqual([
      ['anna', 'unknown', 'approved'],
      ['anna', 'approved', 'approved as before; said: approved'],
      ['boris', 'approved', 'approved as before; said: error'],
    ])
    expect(told).toEqual(records.map(({ after }) => after))
  })

  test('ends the look-ups that are left', async () => {
    const { gateway, sale, shown, clock, store, heard } = desk({ acquirer: forgetful })
    const ids = await sale()
    expect(await gateway.recordOutcome(`${ids.orderid}-1`, NOT_CARRIED_OUT, ANNA)).toEqual({ ok: true })
    expect(await store.tasksOf(ids.orderid)).toEqual([])
    await clock.advance('40d')
    expect([(await shown(ids))[0], heard]).toEqual(['error', []])
  })

  test('is written while the acquirer does not say what came of the result of a 3DS step', async () => {
    const acquirer = deciding({ authenticate: undecided().execute, lookup: async () => UNKNOWN })
    const { gateway, sale, request, store } = desk({ acquirer })
    const { orderid, client_orderid } = await sale({ cvv2: '321' })
    const brought = { orderid, 'client-order-id': client_orderid, cRes: 'e30' }
    await gateway.handle(request('/api/3ds/v1/upload-cres-result', brought))
    expect(await gateway.recordOutcome(`${orderid}-1`, FOUND, ANNA)).toEqual({ ok: true })
    expect((await store.orderById(orderid))?.operations).toMatchObject([{ status: 'approved' }])
  })

  test('of a capture lets the funds go on', async () => {
    const simulated = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'capture' ? UNKNOWN : await simulated.execute(instruction)),
      lookup: async () => UNKNOWN,
    })
    const { gateway, preauth, capture, void: cancel, shown, calls } = desk({ acquirer })
    const ids = await preauth(NOTIFIED)
    await capture(ids)
    expect((await cancel(ids))['error-message']).toContain('one-in-flight')
    expect(await gateway.recordOutcome(`${ids.orderid}-2`, declined(), ANNA)).toEqual({ ok: true })
    expect(await cancel(ids)).toMatchObject({ http: '200' })
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
    expect(statusesOf(calls)).toEqual(['approved', 'unknown', 'declined', 'approved'])
  })

  test('is shown without the codes that nobody knows', async () => {
    const { gateway, sale, told, calls } = desk({ acquirer: forgetful })
    const ids = await sale(CALLBACK)
    await gateway.recordOutcome(`${ids.orderid}-1`, { status: 'approved', approvalCode: '', processorTxId: '' }, ANNA)
    await gateway.settled()
    const shown = [...Object.keys(await told(ids)), ...new URL(calls[1] ?? '').searchParams.keys()]
    expect(shown.filter((name) => ['approval-code', 'processor-tx-id'].includes(name))).toEqual([])
  })

  test('changes nothing when it is written again, and is refused where the operation has ended otherwise', async () => {
    const { gateway, sale, shown, calls, store } = desk({ acquirer: forgetful })
    const ids = await sale(CALLBACK)
    const write = (decision: FinalDecision) => gateway.recordOutcome(`${ids.orderid}-1`, decision, ANNA)
    expect([await write(FOUND), await write(FOUND)]).toEqual([{ ok: true }, { ok: true }])
    expect(await write(declined())).toEqual({ ok: false, reason: 'the operation has ended as approved' })
    await gateway.settled()
    expect([(await shown(ids))[0], statusesOf(calls)]).toEqual(['approved', ['unknown', 'approved']])
    expect(await store.postingsOf(ids.orderid)).toHaveLength(2)
  })

  test("that meets the acquirer's own is decided again, and it is reported if the two differ", async () => {
    let isMet = false
    const store = committing(async (change, commit) => {
      const isWritten = change.order?.order.operations[0]?.status === 'approved'
      if (!isWritten || isMet) return await commit()
      isMet = true
      await made.clock.advance('1m')
      return { ok: false, conflict: 'order' }
    })
    const acquirer = deciding({ execute: async () => UNKNOWN, lookup: async () => declined() })
    const made = desk({ store, acquirer })
    const ids = await made.sale()
    expect(await made.gateway.recordOutcome(`${ids.orderid}-1`, FOUND, ANNA)).toEqual({
      ok: false,
      reason: 'the operation has ended as declined',
    })
    expect((await made.shown(ids))[0]).toBe('declined')
    expect(made.heard.map(([error]) => String(error))).toEqual([
      `Error: On the word of the operator anna, the acquirer has approved the sale ${ids.orderid}-1 of the order ${ids.orderid}, which has ended as declined`,
    ])
  })

  test("[F-D7] that contradicts one that is final is reported as an operator's word, not as the acquirer's", async () => {
    const { sale, gateway, heard } = desk()
    const { orderid } = await sale()
    const refused = await gateway.recordOutcome(`${orderid}-1`, declined(), ANNA)
    expect(refused).toEqual({ ok: false, reason: 'the operation has ended as approved' })
    expect(heard.map(([error]) => String(error))).toEqual([
      `Error: On the word of the operator anna, the acquirer has declined the sale ${orderid}-1 of the order ${orderid}, which has ended as approved`,
    ])
  })

  describe('and that the acquirer contradicts later', () => {
    /** Opens an order, and returns the request that moves its funds. */
    const doings = {
      sale: ({ request, newId }: Desk) => request('/api/v2/sale', { ...SALE, client_orderid: newId() }),
      capture: async ({ preauth, request }: Desk) => request('/api/v2/capture', await preauth()),
      cancel: async ({ preauth, request }: Desk) => request('/api/v2/void', await preauth()),
      reversal: async ({ sale, request }: Desk) => request('/api/v2/return', await sale()),
      payout: ({ oauth, newId }: Desk) =>
        oauth('/api/v2/payout', { client_orderid: newId(), ...MONEY, account_number: '1' }),
    }
    const recorded = [
      ['approved', FOUND, 'declined', declined()],
      ['approved', FOUND, 'filtered', { ...declined(), status: 'filtered' }],
      ['approved', FOUND, 'not carried out', NOT_CARRIED_OUT],
      ['declined', declined(), 'approved', APPROVED],
    ] as const
    const each = (Object.keys(doings) as (keyof typeof doings)[]).flatMap((kind) =>
      recorded.map(([status, found, word, late]) => [kind, status, word, found, late] as const),
    )

    test.for(each)(
      'stays as it is, and a person hears of it: %s %s, then %s',
      async ([kind, status, word, found, late]) => {
        const { execute, decide } = undecided()
        const simulated = deciding({})
        const acquirer = deciding({
          execute: (instruction) => (instruction.kind === kind ? execute() : simulated.execute(instruction)),
          lookup: async () => UNKNOWN,
        })
        const made = desk({ acquirer })
        const { gateway, store, clock, heard } = made
        const asked = fieldsOf(await gateway.handle(await doings[kind](made)))
        const orderId = asked['paynet-order-id'] ?? ''
        await clock.advance('16m')
        const operation = (await store.orderById(orderId))?.operations.at(-1)?.id ?? ''
        expect(await gateway.recordOutcome(operation, found, ANNA)).toEqual({ ok: true })
        const [order, postings] = [await store.orderById(orderId), await store.postingsOf(orderId)]
        heard.splice(0)
        decide(late)
        await gateway.settled()
        expect(heard.map(([error]) => String(error))).toEqual([
          `Error: The acquirer has ${word} the ${kind} ${operation} of the order ${orderId}, which has ended as ${status}`,
        ])
        expect([await store.orderById(orderId), await store.postingsOf(orderId)]).toEqual([order, postings])
      },
    )
  })

  test('is refused while the order waits for the acquirer or the customer', async () => {
    const { execute, decide } = undecided()
    const asking = desk({ acquirer: deciding({ execute }) })
    await asking.gateway.handle(asking.request('/api/v2/sale', { ...SALE, client_orderid: 'one' }))
    const { orderId = '' } = (await asking.store.findOrder({ login: 'shop', clientOrderId: 'one' })) ?? {}
    const refused = (status: string) => ({
      ok: false,
      reason: `the operation is ${status}: it still waits for the acquirer or the customer`,
    })
    expect(await asking.gateway.recordOutcome(`${orderId}-1`, FOUND, ANNA)).toEqual(refused('sent'))
    decide(APPROVED)
    await asking.gateway.settled()
    const challenged = desk()
    const ids = await challenged.sale({ cvv2: '321' })
    expect(await challenged.gateway.recordOutcome(`${ids.orderid}-1`, FOUND, ANNA)).toEqual(refused('processing'))
  })

  test('of an unknown operation is refused, and one that is not final is a mistake of the program', async () => {
    const { gateway, sale } = desk({ acquirer: forgetful })
    const { orderid } = await sale()
    const nowhere = { ok: false, reason: 'there is no operation with this id' }
    expect(await gateway.recordOutcome(`${orderid}-2`, FOUND, ANNA)).toEqual(nowhere)
    expect(await gateway.recordOutcome('123456789012345-1', FOUND, ANNA)).toEqual(nowhere)
    await expect(gateway.recordOutcome(`${orderid}-1`, UNKNOWN as FinalDecision, ANNA)).rejects.toThrow(
      'status must be approved, declined, filtered or error',
    )
  })
})
