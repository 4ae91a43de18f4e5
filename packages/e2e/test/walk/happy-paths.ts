import type { OperationKey } from '@tallystick/core'
import { recurringResults, recurringRows } from '@tallystick/core'
import { cards, passChallenge, passPaReq, saleInput, serverToServer } from '@tallystick/testing'
import { expect } from 'vitest'
import { money, newOrderId, ORDER_ID, type World } from './world.ts'

/**
 * What each operation does when all is well, seen by its merchant: in the reply, and by status afterwards. A record over
 * the catalogue, so that an operation without one does not compile.
 */
export const happyPaths: { readonly [K in OperationKey]: (world: World) => Promise<void> } = {
  sale: async ({ done, shown }) => {
    const input = saleInput()
    expect(await done('sale', input)).toMatchObject({
      type: 'async-response',
      orderId: ORDER_ID,
      clientOrderId: input.clientOrderId,
      endpointId: '253',
    })
    expect(await shown(input)).toEqual(['approved', 'sale', '10.42', '10.42'])
  },
  preauth: async ({ preauth, shown }) => {
    expect(await shown(await preauth())).toEqual(['approved', 'preauth', '10.42', '10.42'])
  },
  capture: async ({ preauth, done, shown, client }) => {
    const ids = await preauth()
    await done('capture', { ...ids, amount: '4.00', currency: 'USD' })
    expect(await shown(ids)).toEqual(['approved', 'capture', '10.42', '10.42'])
    await done('capture', ids)
    expect(await client.status(ids)).toMatchObject({ status: 'approved', orderStage: 'capture_approved' })
  },
  void: async ({ preauth, sale, done, shown }) => {
    const held = await preauth()
    await done('void', held)
    expect(await shown(held)).toEqual(['approved', 'cancel', '0.00', '10.42'])
    const sold = await sale()
    await done('void', sold)
    expect(await shown(sold)).toEqual(['approved', 'reversal', '0.00', '10.42'])
  },
  return: async ({ sale, preauth, done, shown }) => {
    const sold = await sale()
    await done('return', { ...sold, amount: '0.42', currency: 'USD' })
    expect(await shown(sold)).toEqual(['approved', 'reversal', '10.00', '10.42'])
    await done('return', sold)
    expect(await shown(sold)).toEqual(['approved', 'reversal', '0.00', '10.42'])
    const held = await preauth()
    await done('return', held)
    expect(await shown(held)).toEqual(['approved', 'cancel', '0.00', '10.42'])
  },
  accountVerification: async ({ done, client }) => {
    const { amount: _, currency: __, ...input } = saleInput()
    await done('accountVerification', input)
    const status = await client.status(idOf(input))
    expect(status).toMatchObject({ status: 'approved', transactionType: 'account verification' })
    expect(status.amount).toBeUndefined()
  },
  saleForm: (world) => registers(world, 'saleForm', 'sale'),
  preauthForm: (world) => registers(world, 'preauthForm', 'preauth'),
  paymentForm: (world) => registers(world, 'paymentForm', 'sale'),
  accountVerificationForm: async ({ done, client }) => {
    const { amount: _, currency: __, ...input } = { ...payer(), redirectUrl: 'https://shop.example.com/return' }
    const reply = await done('accountVerificationForm', input)
    expect(reply).toMatchObject({ type: 'async-form-response', redirectUrl: expect.stringContaining('/paynet/form/') })
    expect(await client.status(idOf(input))).toMatchObject({
      status: 'processing',
      transactionType: 'account verification',
    })
  },
  payoutForm: async ({ done, shown }) => {
    const input = { clientOrderId: newOrderId(), ...money, redirectUrl: 'https://shop.example.com/return' }
    const reply = await done('payoutForm', input)
    expect(reply.redirectUrl).toContain('/paynet/form/')
    expect(await shown(input)).toEqual(['processing', 'payout', '0.00', '34.00'])
  },
  createCardRef: async ({ sale, done }) => {
    const ids = await sale()
    const first = await done('createCardRef', ids)
    expect(first).toMatchObject({ type: 'create-card-ref-response', status: 'approved', cardRefId: ORDER_ID })
    expect((await done('createCardRef', ids)).cardRefId).toBe(first.cardRefId)
  },
  createCardRefV4: async ({ sale, done }) => {
    const reply = await done('createCardRefV4', await sale())
    expect(reply).toMatchObject({ cardRefId: ORDER_ID, recurringPaymentId: ORDER_ID, uniqueCardRefId: ORDER_ID })
    const other = await done('createCardRefV4', await sale({ cardPrintedName: 'JANE SMITH' }))
    expect([other.uniqueCardRefId, other.cardRefId === reply.cardRefId]).toEqual([reply.uniqueCardRefId, false])
  },
  getCardInfo: async ({ cardRef, client }) => {
    expect(await client.getCardInfo({ cardRefId: await cardRef() })).toMatchObject({
      type: 'get-card-info-response',
      bin: '444455',
      lastFourDigits: '1111',
      maskedPan: '444455******1111',
      cardType: 'VISA',
      expireMonth: '12',
      expireYear: '2039',
      cardPrintedName: 'JOHN SMITH',
    })
  },
  makeRebill: async ({ cardRef, done, client }) => {
    const input = { clientOrderId: newOrderId(), cardRefId: await cardRef(), ...money }
    await done('makeRebill', input)
    expect(await client.status(idOf(input))).toMatchObject({
      status: 'approved',
      transactionType: 'sale',
      bin: '444455',
    })
  },
  status: async ({ sale, client }) => {
    const ids = await sale()
    const byBoth = await client.status(ids)
    const byOwnIdAlone = await client.status({ clientOrderId: ids.clientOrderId })
    expect([byBoth.orderId, byOwnIdAlone.orderId]).toEqual([ids.orderId, ids.orderId])
  },
  payout: async ({ done, shown, client }) => {
    const clientOrderId = newOrderId()
    await done('payout', { clientOrderId, ...money, cardNumber: cards.approved.cardNumber })
    expect(await shown({ clientOrderId })).toEqual(['approved', 'payout', '34.00', '34.00'])
    expect(await client.status({ clientOrderId })).toMatchObject({ destinationLastFourDigits: '1111' })
    const byPhone = newOrderId()
    await done('payout', { clientOrderId: byPhone, ...money, receiverPhone: '+79001234567' })
    expect(await shown({ clientOrderId: byPhone })).toEqual(['approved', 'payout', '34.00', '34.00'])
  },
  payoutCheck: async ({ payoutCheck, client }) => {
    expect(await client.status(await payoutCheck())).toMatchObject({
      status: 'processing',
      orderStage: 'payout_checked',
      transactionType: 'payout',
      amount: '0.00',
    })
  },
  payoutPay: async ({ payoutCheck, done, shown }) => {
    const ids = await payoutCheck()
    await done('payoutPay', ids)
    expect(await shown(ids)).toEqual(['approved', 'payout', '34.00', '34.00'])
  },
  panEligibilitySend: async ({ cardRef, done, client }) => {
    const clientOrderId = newOrderId()
    await done('panEligibilitySend', { clientOrderId, sendingCardRefId: await cardRef() })
    expect(await client.status({ clientOrderId })).toMatchObject({ status: 'approved' })
  },
  transfer: async ({ done, sale, shown, client }) => {
    const { cardPrintedName, cardNumber, expireMonth, expireYear, cvv2 } = cards.approved
    const pan = { cardNumber, cardPrintedName, expireMonth, expireYear, cvv2 }
    const { recurringPaymentId = '', cardRefId } = await done('createCardRefV4', await sale())
    const token = { cardRecurringPaymentId: recurringPaymentId }
    const toToken = { destinationCardRecurringPaymentId: recurringPaymentId }
    const toPan = { destinationCardNumber: '4444333322221111' }
    const deposit = { depositToCard: true }
    const kinds = [
      { ...pan, ...toPan },
      { ...pan, ...toToken },
      { ...token, ...toPan },
      { ...token, ...toToken },
      { ...deposit, ...toPan },
      { ...deposit, ...toToken },
      { ...deposit, destinationCardRefId: cardRefId },
    ]
    for (const kind of kinds) {
      const clientOrderId = newOrderId()
      await done('transfer', { clientOrderId, ...money, ...kind })
      expect(await shown({ clientOrderId })).toEqual(['approved', 'transfer', '34.00', '34.00'])
      expect((await client.status({ clientOrderId })).destinationLastFourDigits).toBe('1111')
    }
  },
  transferByRef: async ({ cardRef, done, shown }) => {
    const clientOrderId = newOrderId()
    await done('transferByRef', { clientOrderId, ...money, destinationCardRefId: await cardRef() })
    expect(await shown({ clientOrderId })).toEqual(['approved', 'transfer', '34.00', '34.00'])
  },
  createRecurringPayment: async ({ done }) => {
    const clientOrderId = newOrderId()
    const schedule = { period: 'month', interval: 1, startDate: '2040-01-31' } as const
    const input = { recurringCardType: 'SRC', clientOrderId, ...cards.approved, ...money, ...schedule } as const
    const first = await done('createRecurringPayment', input)
    expect(first).toMatchObject({ type: 'create-recurring-payment-response', recurringPaymentId: ORDER_ID })
    expect(await done('createRecurringPayment', input)).toMatchObject({ recurringPaymentId: first.recurringPaymentId })
    const token = { cardRecurringPaymentId: first.recurringPaymentId }
    await done('transfer', {
      clientOrderId: newOrderId(),
      ...money,
      ...token,
      destinationCardNumber: '4444333322221111',
    })
  },
  processRecurringPayment: async ({ recurring, done, shown }) => {
    const { recurringPaymentId } = await recurring()
    const clientOrderId = newOrderId()
    const input = { clientOrderId, recurringPaymentId, amount: '7.00' }
    const first = await done('processRecurringPayment', input)
    expect(first).toMatchObject({ type: 'process-recurring-payment-response', status: 'processing', orderId: ORDER_ID })
    expect(await shown({ clientOrderId })).toEqual(['approved', 'sale', '7.00', '7.00'])
    expect(await done('processRecurringPayment', input)).toMatchObject({ orderId: first.orderId })
    const other = newOrderId()
    await done('processRecurringPayment', { clientOrderId: other, recurringPaymentId })
    expect(await shown({ clientOrderId: other })).toEqual(['approved', 'sale', '34.00', '34.00'])
  },
  updateRecurringPayment: async ({ recurring, done, shown, client }) => {
    const { recurringPaymentId } = await recurring()
    const { cvv2: _, ...plastic } = cards.approved
    const other = { ...plastic, cardNumber: '5555555555554444' }
    const input = { clientOrderId: newOrderId(), recurringPaymentId, ...other, amount: '8.00' }
    const first = await done('updateRecurringPayment', input)
    expect(first).toMatchObject({ type: 'update-recurring-payment-response', status: 'approved' })
    expect(await done('updateRecurringPayment', input)).toMatchObject({ serialNumber: first.serialNumber })
    const clientOrderId = newOrderId()
    await done('processRecurringPayment', { clientOrderId, recurringPaymentId })
    expect(await shown({ clientOrderId })).toEqual(['approved', 'sale', '8.00', '8.00'])
    expect((await client.status({ clientOrderId })).lastFourDigits).toBe('4444')
  },
  createRecurringPayments: async ({ done, client }) => {
    const clientOrderId = newOrderId()
    const row = { recurringCardType: 'SRC', clientOrderId, ...cards.approved, ...money } as const
    const payload = recurringRows('createRecurringPayments', [row])
    const [result, ...more] = recurringResults(await done('createRecurringPayments', { payload }))
    expect(result).toMatchObject({ clientOrderId, recurringPaymentId: ORDER_ID, status: 'approved' })
    expect(more).toEqual([])
    const { recurringPaymentId } = await client.getRecurringPayment({ clientOrderId })
    expect(recurringPaymentId).toBe(result?.recurringPaymentId)
  },
  processRecurringPayments: async ({ recurring, done, shown }) => {
    const { recurringPaymentId } = await recurring()
    const rows = [newOrderId(), newOrderId()].map((clientOrderId) => ({ clientOrderId, recurringPaymentId }))
    const payload = recurringRows('processRecurringPayments', rows)
    const results = recurringResults(await done('processRecurringPayments', { payload }))
    expect(results.map((row) => row.clientOrderId)).toEqual(rows.map((row) => row.clientOrderId))
    for (const row of rows) expect(await shown(row)).toEqual(['approved', 'sale', '34.00', '34.00'])
    expect(recurringResults(await done('processRecurringPayments', { payload }))).toEqual(results)
  },
  updateRecurringPayments: async ({ recurring, done, client }) => {
    const { recurringPaymentId } = await recurring()
    const row = { clientOrderId: newOrderId(), recurringPaymentId, amount: '9.00' }
    const payload = recurringRows('updateRecurringPayments', [row])
    const results = recurringResults(await done('updateRecurringPayments', { payload }))
    expect(results).toMatchObject([{ recurringPaymentId, status: 'approved' }])
    expect((await client.getRecurringPayment({ recurringPaymentId })).amount).toBe('9.00')
  },
  getRecurringPayment: async ({ recurring, done }) => {
    const { recurringPaymentId } = await recurring()
    expect(await done('getRecurringPayment', { recurringPaymentId })).toMatchObject({
      recurringPaymentId,
      recurringPaymentState: 'active',
      amount: '34.00',
      currency: 'USD',
      lastFourDigits: '1111',
    })
  },
  uploadCresResult: async ({ sale, done, client }) => {
    const ids = await sale({ ...cards.threeDs, ...serverToServer })
    const shown = await client.status(ids)
    expect(shown).toMatchObject({ status: 'processing', orderStage: 'sale_3d_validating', tdsStatus: 'CReqForm' })
    const { cRes } = await passChallenge(shown)
    await done('uploadCresResult', { ...ids, cRes })
    expect(await client.status(ids)).toMatchObject({ status: 'approved', amount: '10.42' })
    const failed = await sale({ ...cards.threeDs, ...serverToServer })
    const { cRes: refused } = await passChallenge(await client.status(failed), 'fails')
    await done('uploadCresResult', { ...failed, cRes: refused })
    expect(await client.status(failed)).toMatchObject({ status: 'declined', amount: '0.00' })
  },
  uploadParesResult: async ({ sale, done, client }) => {
    const ids = await sale({ ...cards.threeDsPaReq, ...serverToServer })
    const { paRes, md } = await passPaReq(await client.status(ids))
    await done('uploadParesResult', { ...ids, paRes, md })
    expect(await client.status(ids)).toMatchObject({ status: 'approved' })
    const failed = await sale({ ...cards.threeDsPaReq, ...serverToServer })
    const cancelled = await passPaReq(await client.status(failed), 'cancels')
    await done('uploadParesResult', { ...failed, paRes: cancelled.paRes })
    expect(await client.status(failed)).toMatchObject({ status: 'declined' })
  },
  uploadMethodUrlResult: async ({ sale, done, client }) => {
    const ids = await sale({ ...cards.threeDsMethod, ...serverToServer })
    expect(await client.status(ids)).toMatchObject({ status: 'processing', tdsStatus: 'MethodUrlFrame' })
    await done('uploadMethodUrlResult', { ...ids, methodCompletion: 'Y' })
    const { cRes } = await passChallenge(await client.status(ids))
    await done('uploadCresResult', { ...ids, cRes })
    expect(await client.status(ids)).toMatchObject({ status: 'approved', verified3dStatus: 'AUTHENTICATED' })
  },
}

/** Status takes the merchant's id alone. */
function idOf({ clientOrderId }: { readonly clientOrderId: string }) {
  return { clientOrderId }
}

function payer() {
  const { cardNumber: _, cardPrintedName: __, expireMonth: ___, expireYear: ____, cvv2: _____, ...input } = saleInput()
  return input
}

async function registers({ done, shown }: World, key: 'saleForm' | 'preauthForm' | 'paymentForm', type: string) {
  const input = { ...payer(), redirectUrl: 'https://shop.example.com/return' }
  const first = await done(key, input)
  expect(first).toMatchObject({
    type: 'async-form-response',
    orderId: ORDER_ID,
    redirectUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/paynet\/form\/[\w-]{22}$/),
  })
  expect(await shown(input)).toEqual(['processing', type, '0.00', '10.42'])
  expect(await done(key, input)).toEqual(first)
}
