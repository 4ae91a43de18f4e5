import { describe, expect, test } from 'vitest'
import type { Decision } from '../../src/index.ts'
import { APPROVED, deciding, declined, REFERENCES } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { type Fields, fieldsOf, SALE, status } from '../support/signed-requests.ts'

/** Under the names of gaps part 4, and that of the batch, which is ours. */
const SHOWN = {
  'approval-code': 'A12345',
  'processor-tx-id': 'tx-77',
  'processor-rrn': '633200000001',
  'processor-credit-rrn': '633200000002',
  'processor-debit-arn': '74027160000000000000001',
  'processor-credit-arn': '74027160000000000000002',
  'processor-auth-credit-code': 'C12345',
  'terminal-id': 'T-0001',
  'processor-batch-id': 'B-0042',
  'auth-response-code': '00',
  'reason-code': 'R-0',
  'paynet-processing-date': '2030-01-01 00:00:00 UTC',
  'acquirer-processing-date': '2029-12-31 23:59:58 UTC',
}

const CALLED = { server_callback_url: 'https://shop.example.com/callback' }

const approved = { status: 'approved', approvalCode: '123456', processorTxId: 'tx-1' } as const

/** A sale that this was decided of: its status and its callback. */
async function shownOf(decision: Decision) {
  const { sale, told, calls } = desk({ acquirer: deciding({ execute: async () => decision }) })
  return {
    status: await told(await sale(CALLED)),
    callback: Object.fromEntries(new URL(calls[0] ?? '').searchParams) as Fields,
  }
}

describe("the bank's references and the date", () => {
  test('[F-D10] of an approval are in the status and in the callback', async () => {
    const { status, callback } = await shownOf({ status: 'approved', ...REFERENCES })
    expect([status, callback]).toMatchObject([SHOWN, SHOWN])
  })

  test('[F-D10] of a decline are there beside its code and its message', async () => {
    const { status, callback } = await shownOf({ ...declined(), ...REFERENCES })
    expect(status).toMatchObject({ ...SHOWN, status: 'declined', 'error-code': '100' })
    expect(callback).toMatchObject({ ...SHOWN, status: 'declined', error_code: '100' })
  })

  test('[F-D10] are those of the operation that is asked for, and so is the date', async () => {
    let count = 0
    const execute = async () => ({ ...APPROVED, rrn: `R-${++count}` })
    const { sale, told, ask, return: giveBack, clock } = desk({ acquirer: deciding({ execute }) })
    const ids = await sale()
    const { 'serial-number': _, ...first } = await told(ids)
    await clock.advance('36h')
    const { 'serial-number': serial = '' } = await giveBack(ids, { amount: '1.00', currency: 'EUR' })
    expect(await told(ids)).toMatchObject({
      'processor-rrn': 'R-2',
      'paynet-processing-date': '2030-01-02 12:00:00 UTC',
    })
    expect(await ask('/api/v2/status', { ...ids, 'by-request-sn': serial })).toMatchObject({ 'processor-rrn': 'R-2' })
    expect(first).toMatchObject({ 'processor-rrn': 'R-1', 'paynet-processing-date': '2030-01-01 00:00:00 UTC' })
  })

  test('are absent while nothing is decided', async () => {
    const { gateway, request } = desk({ acquirer: deciding({ execute: () => new Promise(() => {}) }) })
    await gateway.handle(request('/api/v2/sale', SALE))
    const asked = fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))
    expect(asked['status']).toBe('processing')
    expect(asked).not.toHaveProperty('paynet-processing-date')
  })

  test('of a chargeback are those of the payment, with a date of its own', async () => {
    const { sale, told, gateway, clock } = desk({
      acquirer: deciding({ execute: async () => ({ status: 'approved', ...REFERENCES }) }),
    })
    const ids = await sale()
    await clock.advance('240h')
    await gateway.chargeback(ids.orderid)
    const { 'processor-rrn': rrn, 'processor-debit-arn': arn, 'paynet-processing-date': date } = await told(ids)
    expect([rrn, arn, date]).toEqual(['633200000001', '74027160000000000000001', '2030-01-11 00:00:00 UTC'])
  })

  test('of plain JavaScript that cannot be stored or shown are left out or made texts', async () => {
    const wild: object = {
      rrn: 633200000001,
      arn: { id: 1 },
      terminalId: '',
      batchId: null,
      processedAt: new Date(REFERENCES.processedAt),
    }
    const { status } = await shownOf({ ...approved, ...wild })
    expect(status).toMatchObject({
      'processor-rrn': '633200000001',
      'acquirer-processing-date': SHOWN['acquirer-processing-date'],
    })
    for (const name of ['processor-debit-arn', 'terminal-id', 'processor-batch-id'])
      expect(status).not.toHaveProperty(name)
    const never = { ...approved, processedAt: Number.NaN }
    expect((await shownOf(never)).status).not.toHaveProperty('acquirer-processing-date')
  })

  test('that are too long for the address of a callback are in the status alone', async () => {
    const long = 'ж'.repeat(500)
    const { status, callback } = await shownOf({ ...approved, rrn: long, arn: long, terminalId: 'T-1' })
    expect([status['processor-rrn'], status['processor-debit-arn']]).toEqual([long, long])
    expect(callback).toMatchObject({ status: 'approved', 'processor-tx-id': 'tx-1' })
  })
})
