import { describe, expect, test } from 'vitest'
import { deciding, declined } from '../support/acquirers.ts'
import { desk, refusal } from '../support/desk.ts'

describe('a sale', () => {
  test('[S1-03] [S4-31] takes the whole amount at once', async () => {
    const { sale, shown } = desk()
    expect(await shown(await sale())).toEqual(['approved', 'sale', 'sale_approved', '10.42', '10.42'])
  })

  test('[S1-06] [S3-04] [S3-05] [S8-04] [G13-20] is returned in parts, and then in full', async () => {
    const { sale, return: giveBack, shown } = desk()
    const ids = await sale()
    await giveBack(ids, { amount: '0.42', currency: 'EUR' })
    expect(await shown(ids)).toEqual(['approved', 'reversal', 'reversal_approved', '10.00', '10.42'])
    await giveBack(ids)
    expect(await shown(ids)).toEqual(['approved', 'reversal', 'reversal_approved', '0.00', '10.42'])
    expect(refusal(await giveBack(ids))).toMatch(/^9: Refused by rule G5-07/)
  })

  test('is neither returned nor voided under the order id of another sale', async () => {
    const { sale, void: cancel, return: giveBack, shown } = desk()
    const [ids, another] = [await sale(), await sale()]
    const mixed = { client_orderid: ids.client_orderid, orderid: another.orderid }
    for (const reply of [await giveBack(mixed), await cancel(mixed)]) {
      expect(refusal(reply)).toContain('There is no order of this client_orderid and orderid.')
    }
    expect([(await shown(ids))[1], (await shown(another))[1]]).toEqual(['sale', 'sale'])
  })

  test('[S1-06] [S3-03] [S8-04] [G12-07] is voided before settlement, in full', async () => {
    const { sale, void: cancel, shown } = desk()
    const ids = await sale()
    await cancel(ids)
    expect(await shown(ids)).toEqual(['approved', 'reversal', 'reversal_approved', '0.00', '10.42'])
  })

  test('[S3-03] [S8-04] [G3.2-06] is voided by its whole amount, and by no part of it', async () => {
    const { sale, void: cancel, shown } = desk()
    const ids = await sale()
    expect(refusal(await cancel(ids, { amount: '5.00', currency: 'EUR' }))).toMatch(/^9: Refused by rule S3-03/)
    expect(refusal(await cancel(ids, { amount: '10.42', currency: 'USD' }))).toMatch(/^9: Refused by rule order-money/)
    expect(await cancel(ids, { amount: '5.00' })).toMatchObject({ http: '400', type: 'validation-error' })
    expect(await shown(ids)).toEqual(['approved', 'sale', 'sale_approved', '10.42', '10.42'])
    await cancel(ids, { amount: '10.42', currency: 'EUR' })
    expect(await shown(ids)).toEqual(['approved', 'reversal', 'reversal_approved', '0.00', '10.42'])
  })

  test('[G5-05] [G13-20] a later operation that fails is shown, and the funds are unchanged', async () => {
    const inner = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'reversal' ? declined() : await inner.execute(instruction)),
    })
    const { sale, return: giveBack, shown, told } = desk({ acquirer })
    const ids = await sale()
    await giveBack(ids)
    expect(await shown(ids)).toEqual(['declined', 'reversal', 'reversal_declined', '10.42', '10.42'])
    expect(await told(ids)).toMatchObject({ 'error-code': '100', 'error-message': 'Do not honour' })
    expect(await giveBack(ids)).toMatchObject({ http: '200' })
  })

  test.for(['filtered', 'error'] as const)('[G5-06] may end %s', async (status) => {
    const execute = async () => ({ status, errorCode: '1', errorMessage: 'No' })
    const { sale, shown } = desk({ acquirer: deciding({ execute }) })
    expect(await shown(await sale())).toEqual([status, 'sale', 'sale_failed', '0.00', '10.42'])
  })
})

describe('status by the serial number of a request', () => {
  test('[G3.2-11] [G13-20] reports the operation that the request made, with the amounts as they are now', async () => {
    const { preauth, capture, return: giveBack, told } = desk()
    const ids = await preauth()
    const captured = await capture(ids, { amount: '4.00', currency: 'EUR' })
    const returned = await giveBack(ids, { amount: '1.00', currency: 'EUR' })
    const by = async (serialNumber: string | undefined) => {
      const {
        'transaction-type': type,
        amount,
        'by-request-sn': named,
      } = await told({
        ...ids,
        'by-request-sn': serialNumber ?? '',
      })
      return [type, amount, named]
    }
    expect(await by(captured['serial-number'])).toEqual(['capture', '9.42', captured['serial-number']])
    expect(await by(returned['serial-number'])).toEqual(['reversal', '9.42', returned['serial-number']])
    expect(await told(ids)).toMatchObject({ 'transaction-type': 'reversal' })
    expect(await told(ids)).not.toHaveProperty('by-request-sn')
  })
})
