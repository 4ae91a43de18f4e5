import type { OperationKey, RequestInput } from '@tallystick/core'
import type { RowsKey } from '@tallystick/core/internal'
import { cards, saleInput } from '@tallystick/testing'
import { challenged, money, newOrderId, type World } from './world.ts'

/** A request that a rule refuses, and how the refusal begins: its code, and the rule or the field that it names. */
export interface Refusal {
  readonly title: string
  readonly told: string
  readonly ask: (world: World) => Promise<string>
}

const refused = (title: string, told: string, ask: Refusal['ask']): Refusal => ({ title, told, ask })
const redirectUrl = 'https://shop.example.com/return'
const nowhere = { clientOrderId: 'nowhere-1z', orderId: '123456789012345' }
const noSuchOrder = '2: There is no order'
const noSuchCard = '8: There is no stored card'
const wrongAmount = { amount: '0.42', currency: 'USD' }

/** What every operation that opens an order refuses. */
function opening<K extends OperationKey>(key: K, input: () => RequestInput<K> & { readonly clientOrderId: string }) {
  const changed = (changes: Partial<RequestInput<'sale'>>) => ({ ...input(), ...changes }) as RequestInput<K>
  return [
    refused('a client order id that was used with other content', '3: clientOrderId', async ({ done, refusal }) => {
      const first = input()
      await done(key, first)
      return await refusal(key, { ...first, serverCallbackUrl: 'https://shop.example.com/other' })
    }),
    refused(
      'a callback address on this machine',
      '1: serverCallbackUrl (server_callback_url) must name a public host',
      (world) => world.refusal(key, changed({ serverCallbackUrl: 'http://127.0.0.1/callback' })),
    ),
  ]
}

/** What every such operation with an amount refuses. */
function paying<K extends OperationKey>(key: K, input: () => RequestInput<K> & { readonly clientOrderId: string }) {
  const changed = (changes: Partial<RequestInput<'sale'>>) => ({ ...input(), ...changes }) as RequestInput<K>
  return [
    ...opening(key, input),
    refused('a currency that the endpoint does not take', '7: currency (currency) must be one of USD, EUR', (world) =>
      world.refusal(key, changed({ currency: 'CHF' })),
    ),
    refused('an amount beyond its limits', '10: amount (amount) must be at least 1.00 and at most 5000.00', (world) =>
      world.refusal(key, changed({ amount: '5000.01' })),
    ),
  ]
}

const payer = () => {
  const { cardNumber: _, cardPrintedName: __, expireMonth: ___, expireYear: ____, cvv2: _____, ...input } = saleInput()
  return { ...input, redirectUrl }
}
const verification = () => {
  const { amount: _, currency: __, ...input } = saleInput()
  return input
}
const withRef = () => ({ clientOrderId: newOrderId(), ...money })
const ofUnknownCard = { cardRefId: '123456789012345' }

const withoutCard = (input: RequestInput<'sale'>) => {
  const { cardNumber: _, cardPrintedName: __, expireMonth: ___, expireYear: ____, cvv2: _____, ...rest } = input
  return { ...rest, ...ofUnknownCard }
}

const notAwaited = (key: 'uploadCresResult' | 'uploadParesResult' | 'uploadMethodUrlResult', input: object) => [
  refused('of an order that does not exist', noSuchOrder, ({ refusal }) =>
    refusal(key, { ...nowhere, ...input } as never),
  ),
  refused('of an order that waits for nothing', '9: Refused by rule awaited-step', async ({ sale, refusal }) =>
    refusal(key, { ...(await sale()), ...input } as never),
  ),
]

const noRecurring = (
  key: 'processRecurringPayment' | 'updateRecurringPayment' | 'getRecurringPayment',
  input: object,
) => {
  const ids = key === 'getRecurringPayment' ? {} : { clientOrderId: newOrderId() }
  return refused('of one that does not exist', '8: recurringPaymentId (recurring-payment-id) must be', ({ refusal }) =>
    refusal(key, { ...ids, ...input, recurringPaymentId: '123456789012345' } as never),
  )
}

const charge = async (recurring: World['recurring']) => {
  const { recurringPaymentId } = await recurring()
  return { clientOrderId: newOrderId(), recurringPaymentId }
}

const noTable = (key: RowsKey) =>
  refused('of a payload whose quotes do not close', '1: payload (payload) has a quote in line 2', ({ refusal }) =>
    refusal(key, { payload: 'client-orderid,amount\n"x,1.00\n' }),
  )

/** Every refusal of the rules, by operation: over the catalogue, so that an operation without one does not compile. */
export const refusals: { readonly [K in OperationKey]: readonly [Refusal, ...Refusal[]] } = {
  sale: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('sale', withoutCard(saleInput())),
    ),
    ...paying('sale', saleInput),
  ],
  preauth: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('preauth', withoutCard(saleInput())),
    ),
    ...paying('preauth', saleInput),
  ],
  accountVerification: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) => {
      const { amount: _, currency: __, ...input } = withoutCard(saleInput())
      return refusal('accountVerification', input)
    }),
    ...opening('accountVerification', verification),
  ],
  capture: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('capture', nowhere)),
    refused('of a sale', '9: Refused by rule S3-02', async ({ sale, refusal }) => refusal('capture', await sale())),
    refused('of a preauth that was declined', '9: Refused by rule final-original', async ({ preauth, refusal }) =>
      refusal('capture', await preauth(cards.declined)),
    ),
    refused('of a preauth that has no outcome', '9: Refused by rule final-original', async ({ preauth, refusal }) =>
      refusal('capture', await preauth(cards.unknown)),
    ),
    refused('of more than is held', '9: Refused by rule G5-07', async ({ preauth, refusal }) =>
      refusal('capture', { ...(await preauth()), amount: '10.43', currency: 'USD' }),
    ),
    refused('in another currency', '9: Refused by rule order-money', async ({ preauth, refusal }) =>
      refusal('capture', { ...(await preauth()), amount: '1.00', currency: 'EUR' }),
    ),
    refused('when all was captured', '9: Refused by rule S3-01', async ({ preauth, done, refusal }) => {
      const ids = await preauth()
      await done('capture', ids)
      return await refusal('capture', ids)
    }),
    refused('when the hold has expired', '9: Refused by rule S3-01', async ({ preauth, clock, refusal }) => {
      const ids = await preauth()
      await clock.advance('7d')
      return await refusal('capture', ids)
    }),
  ],
  void: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('void', nowhere)),
    refused('of a payout', '9: Refused by rule G12-07', async ({ payoutCheck, refusal }) =>
      refusal('void', await payoutCheck()),
    ),
    refused('of a sale that was declined', '9: Refused by rule final-original', async ({ sale, refusal }) =>
      refusal('void', await sale(cards.declined)),
    ),
    refused('of a sale that is settled', '9: Refused by rule S3-03', async ({ sale, clock, refusal }) => {
      const ids = await sale()
      await clock.advance('24h')
      return await refusal('void', ids)
    }),
    refused('of a sale of which a part was returned', '9: Refused by rule G13-18', async ({ sale, done, refusal }) => {
      const ids = await sale()
      await done('return', { ...ids, ...wrongAmount })
      return await refusal('void', ids)
    }),
  ],
  return: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('return', nowhere)),
    refused('of a sale that was declined', '9: Refused by rule S3-06', async ({ sale, refusal }) =>
      refusal('return', await sale(cards.declined)),
    ),
    refused('of a sale that has no outcome', '9: Refused by rule S3-06', async ({ sale, refusal }) =>
      refusal('return', await sale(challenged)),
    ),
    refused('of a payout', '9: Refused by rule S3-04', async ({ payoutCheck, refusal }) =>
      refusal('return', await payoutCheck()),
    ),
    refused('of more than was sold', '9: Refused by rule G3.2-14', async ({ sale, refusal }) =>
      refusal('return', { ...(await sale()), amount: '10.43', currency: 'USD' }),
    ),
    refused('of a part of a preauth', '9: Refused by rule G3.2-14', async ({ preauth, refusal }) =>
      refusal('return', { ...(await preauth()), ...wrongAmount }),
    ),
    refused('of more than is left', '9: Refused by rule G5-07', async ({ sale, done, refusal }) => {
      const ids = await sale()
      await done('return', { ...ids, ...wrongAmount })
      return await refusal('return', { ...ids, amount: '10.01', currency: 'USD' })
    }),
    refused('when all was returned', '9: Refused by rule G5-07', async ({ sale, done, refusal }) => {
      const ids = await sale()
      await done('return', ids)
      return await refusal('return', ids)
    }),
  ],
  saleForm: paying('saleForm', payer) as never,
  preauthForm: paying('preauthForm', payer) as never,
  paymentForm: paying('paymentForm', payer) as never,
  accountVerificationForm: opening('accountVerificationForm', () => {
    const { amount: _, currency: __, ...input } = payer()
    return input
  }) as never,
  payoutForm: paying('payoutForm', () => ({ ...withRef(), redirectUrl })) as never,
  createCardRef: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('createCardRef', nowhere)),
    refused('of a sale that was declined', '9: Refused by rule G3.2-15', async ({ sale, refusal }) =>
      refusal('createCardRef', await sale(cards.declined)),
    ),
    refused('of a payout that was only checked', '9: Refused by rule G3.2-15', async ({ payoutCheck, refusal }) =>
      refusal('createCardRef', await payoutCheck()),
    ),
    refused('of a payout without a card', '8: No card took part', async ({ payoutCheck, done, refusal }) => {
      const ids = await payoutCheck()
      await done('payoutPay', ids)
      return await refusal('createCardRef', ids)
    }),
  ],
  createCardRefV4: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('createCardRefV4', nowhere)),
    refused('of a sale that has no outcome', '9: Refused by rule G3.2-15', async ({ sale, refusal }) =>
      refusal('createCardRefV4', await sale(cards.unknown)),
    ),
  ],
  getCardInfo: [
    refused('a reference that does not exist', noSuchCard, ({ refusal }) => refusal('getCardInfo', ofUnknownCard)),
  ],
  makeRebill: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('makeRebill', { ...withRef(), ...ofUnknownCard }),
    ),
  ],
  status: [refused('an order that does not exist', noSuchOrder, ({ refusal }) => refusal('status', nowhere))],
  payout: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('payout', { ...withRef(), destinationCardRefId: '123456789012345' }),
    ),
    ...paying('payout', () => ({ ...withRef(), accountNumber: '40817810099910004312' })),
  ],
  payoutCheck: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('payoutCheck', { ...withRef(), destinationCardRefId: '123456789012345' }),
    ),
    ...paying('payoutCheck', () => ({ ...withRef(), accountNumber: '40817810099910004312' })),
  ],
  payoutPay: [
    refused('of an order that does not exist', noSuchOrder, ({ refusal }) => refusal('payoutPay', nowhere)),
    refused('of a sale', '9: Refused by rule S3-07', async ({ sale, refusal }) => refusal('payoutPay', await sale())),
    refused('a second time', '9: Refused by rule pay-once', async ({ payoutCheck, done, refusal }) => {
      const ids = await payoutCheck()
      await done('payoutPay', ids)
      return await refusal('payoutPay', ids)
    }),
  ],
  panEligibilitySend: [
    refused('a card reference that does not exist', noSuchCard, ({ refusal }) =>
      refusal('panEligibilitySend', { clientOrderId: newOrderId(), sendingCardRefId: '123456789012345' }),
    ),
  ],
  transfer: [
    refused('a sender that does not exist', noSuchCard, ({ refusal }) =>
      refusal('transfer', {
        ...withRef(),
        cardRecurringPaymentId: '123456789012345',
        destinationCardNumber: cards.approved.cardNumber,
      }),
    ),
    refused('a receiver that does not exist', noSuchCard, ({ refusal }) =>
      refusal('transfer', { ...withRef(), depositToCard: true, destinationCardRefId: '123456789012345' }),
    ),
    ...paying('transfer', () => ({
      ...withRef(),
      depositToCard: true,
      destinationCardNumber: cards.approved.cardNumber,
    })),
  ],
  transferByRef: [
    refused('a receiver that does not exist', noSuchCard, ({ refusal }) =>
      refusal('transferByRef', { ...withRef(), destinationCardRefId: '123456789012345' }),
    ),
    ...paying('transferByRef', () => ({ ...withRef(), destinationCardNumber: cards.approved.cardNumber })),
  ],
  createRecurringPayment: [
    refused('a client order id that was used with other content', '3: clientOrderId', async ({ done, refusal }) => {
      const input = { ...withRef(), recurringCardType: 'SRC' as const, ...cards.approved }
      await done('createRecurringPayment', input)
      return await refusal('createRecurringPayment', { ...input, amount: '35.00' })
    }),
    refused('a currency that the endpoint does not take', '7: currency (currency) must be one of', ({ refusal }) =>
      refusal('createRecurringPayment', {
        ...withRef(),
        recurringCardType: 'SRC',
        ...cards.approved,
        currency: 'CHF',
      }),
    ),
  ],
  processRecurringPayment: [
    noRecurring('processRecurringPayment', { ...money }),
    refused('of another currency than it has', '7: currency (currency) must be USD', async ({ recurring, refusal }) =>
      refusal('processRecurringPayment', { ...(await charge(recurring)), amount: '3.00', currency: 'EUR' }),
    ),
    refused('of an amount beyond the limits', '10: amount (amount) must be at least', async ({ recurring, refusal }) =>
      refusal('processRecurringPayment', { ...(await charge(recurring)), amount: '5000.01' }),
    ),
    refused('of a client order id that is used', '3: clientOrderId', async ({ recurring, done, refusal }) => {
      const input = await charge(recurring)
      await done('processRecurringPayment', input)
      return await refusal('processRecurringPayment', { ...input, amount: '3.00' })
    }),
    refused('of one that was stopped', '8: The recurring payment was stopped', async ({ recurring, done, refusal }) => {
      const { recurringPaymentId } = await charge(recurring)
      const recurringPaymentState = 'stopped'
      await done('updateRecurringPayment', { clientOrderId: newOrderId(), recurringPaymentId, recurringPaymentState })
      return await refusal('processRecurringPayment', { clientOrderId: newOrderId(), recurringPaymentId })
    }),
  ],
  updateRecurringPayment: [
    noRecurring('updateRecurringPayment', { amount: '3.00' }),
    refused('of an amount beyond the limits', '10: amount (amount) must be at least', async ({ recurring, refusal }) =>
      refusal('updateRecurringPayment', { ...(await charge(recurring)), amount: '5000.01' }),
    ),
    refused('of a client order id of another update', '3: clientOrderId', async ({ recurring, done, refusal }) => {
      const input = await charge(recurring)
      await done('updateRecurringPayment', { ...input, amount: '3.00' })
      return await refusal('updateRecurringPayment', { ...input, amount: '4.00' })
    }),
    refused('of a start without a schedule', '1: startDate (start-date) needs period', async ({ recurring, refusal }) =>
      refusal('updateRecurringPayment', { ...(await charge(recurring)), startDate: '2040-01-01' }),
    ),
  ],
  createRecurringPayments: [noTable('createRecurringPayments')],
  processRecurringPayments: [
    noTable('processRecurringPayments'),
    refused('of a row with a wrong field', '1: Line 3: amount (amount)', async ({ recurring, refusal }) => {
      const { recurringPaymentId: id } = await charge(recurring)
      const payload = `amount,client-orderid,recurring-payment-id\n1.00,${newOrderId()},${id}\n1,,${newOrderId()},${id}\n`
      return await refusal('processRecurringPayments', { payload: payload.replace('1,,', '-1,') })
    }),
  ],
  updateRecurringPayments: [noTable('updateRecurringPayments')],
  getRecurringPayment: [noRecurring('getRecurringPayment', {})],
  uploadCresResult: notAwaited('uploadCresResult', { cRes: 'e30' }) as never,
  uploadParesResult: notAwaited('uploadParesResult', { paRes: 'e30' }) as never,
  uploadMethodUrlResult: notAwaited('uploadMethodUrlResult', { methodCompletion: 'Y' }) as never,
}
