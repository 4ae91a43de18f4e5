import { randomUUID } from 'node:crypto'
import type { OperationResult, PaymentClient } from '@tallystick/client'
import { type OperationKey, type RequestInput, recurringRows } from '@tallystick/core'
import { saleInput, type TestCard } from '@tallystick/testing'

/** A merchant that carries out one operation after the other. */
export interface Merchant {
  readonly client: PaymentClient
  /** The card to pay with. */
  readonly card: TestCard
  /** Resolves when what was sent is decided. */
  readonly settled: (clientOrderId: string) => Promise<void>
  /** The address for its callbacks. Default: none. */
  readonly notifyUrl?: string
}

/** Makes what an operation needs before it, and then its request. */
type Flow<K extends OperationKey> = (merchant: Merchant) => Promise<RequestInput<K>>

const money = { amount: '34.00', currency: 'USD' }
const redirectUrl = 'https://shop.example.com/return'

/**
 * For every operation a request that is carried out, after everything that has to come before it. A record over the
 * catalogue: an operation without one does not compile.
 */
export const flows: { readonly [K in OperationKey]: Flow<K> } = {
  sale: async (merchant) => payment(merchant),
  preauth: async (merchant) => payment(merchant),
  accountVerification: async (merchant) => withoutMoney(payment(merchant)),
  capture: async (merchant) => ({ ...(await paid(merchant, 'preauth')), amount: '4.00', currency: 'USD' }),
  void: (merchant) => paid(merchant),
  return: async (merchant) => ({ ...(await paid(merchant)), amount: '0.42', currency: 'USD' }),
  saleForm: async () => ({ ...withoutCard(saleInput()), redirectUrl }),
  preauthForm: async () => ({ ...withoutCard(saleInput()), redirectUrl }),
  paymentForm: async () => ({ ...withoutCard(saleInput()), redirectUrl }),
  accountVerificationForm: async () => ({ ...withoutMoney(withoutCard(saleInput())), redirectUrl }),
  createCardRef: (merchant) => paid(merchant),
  createCardRefV4: (merchant) => paid(merchant),
  getCardInfo: async (merchant) => ({ cardRefId: await cardRef(merchant) }),
  makeRebill: async (merchant) => ({ clientOrderId: newOrderId(), ...money, cardRefId: await cardRef(merchant) }),
  status: (merchant) => paid(merchant),
  payout: async ({ card }) => ({ clientOrderId: newOrderId(), ...money, cardNumber: card.cardNumber }),
  payoutForm: async () => ({ clientOrderId: newOrderId(), ...money, redirectUrl }),
  payoutCheck: async ({ card }) => ({ clientOrderId: newOrderId(), ...money, cardNumber: card.cardNumber }),
  payoutPay: async (merchant) => {
    const input = await flows.payoutCheck(merchant)
    return await idsOf(input.clientOrderId, await merchant.client.payoutCheck(input), merchant)
  },
  panEligibilitySend: async (merchant) => ({
    clientOrderId: newOrderId(),
    sendingCardRefId: await cardRef(merchant),
  }),
  transfer: async ({ card }) => ({
    clientOrderId: newOrderId(),
    ...money,
    ...card,
    destinationCardNumber: card.cardNumber,
  }),
  transferByRef: async (merchant) => ({
    clientOrderId: newOrderId(),
    ...money,
    destinationCardRefId: await cardRef(merchant),
  }),
  createRecurringPayment: async ({ card }) => {
    const schedule = { period: 'month', interval: 1, startDate: '2040-01-31' } as const
    return { recurringCardType: 'SRC', clientOrderId: newOrderId(), ...money, ...card, ...schedule }
  },
  processRecurringPayment: async (merchant) => charge(await recurringPayment(merchant)),
  updateRecurringPayment: async (merchant) => update(await recurringPayment(merchant)),
  createRecurringPayments: async (merchant) => {
    const row = { ...(await flows.createRecurringPayment(merchant)), clientOrderId: newOrderId() }
    return { payload: recurringRows('createRecurringPayments', [row]) }
  },
  processRecurringPayments: async (merchant) => {
    const recurringPaymentId = await recurringPayment(merchant)
    const rows = [charge(recurringPaymentId), charge(recurringPaymentId)]
    return { payload: recurringRows('processRecurringPayments', rows) }
  },
  updateRecurringPayments: async (merchant) => ({
    payload: recurringRows('updateRecurringPayments', [update(await recurringPayment(merchant))]),
  }),
  getRecurringPayment: async (merchant) => ({ recurringPaymentId: await recurringPayment(merchant) }),
  uploadCresResult: async (merchant) => ({
    ...(await challenged(merchant, '321')),
    cRes: base64('{"messageType":"CRes","transStatus":"Y"}'),
  }),
  uploadParesResult: async (merchant) => ({
    ...(await challenged(merchant, '322')),
    paRes: base64('<PARes><status>Y</status></PARes>'),
  }),
  uploadMethodUrlResult: async (merchant) => ({ ...(await challenged(merchant, '323')), methodCompletion: 'Y' }),
}

/** Begins and ends with a letter, so that no boundary of a control string can shift. */
function newOrderId(): string {
  return `f${randomUUID().replaceAll('-', '').slice(0, 24)}z`
}

function payment({ card, notifyUrl }: Merchant): RequestInput<'sale'> {
  return saleInput({ ...card, ...(notifyUrl === undefined ? {} : { notifyUrl }) })
}

function withoutCard(input: RequestInput<'sale'>) {
  const { cardNumber: _, cardPrintedName: __, expireMonth: ___, expireYear: ____, cvv2: _____, ...rest } = input
  return rest
}

function withoutMoney<Input extends { readonly amount?: string; readonly currency?: string }>(input: Input) {
  const { amount: _, currency: __, ...rest } = input
  return rest
}

async function paid(merchant: Merchant, key: 'sale' | 'preauth' = 'sale'): Promise<RequestInput<'void'>> {
  const input = payment(merchant)
  return await idsOf(input.clientOrderId, await merchant.client[key](input), merchant)
}

/** A sale that waits for a 3DS step: CVV 321 for the challenge, as with the simulator. */
function challenged(merchant: Merchant, cvv2: string): Promise<RequestInput<'void'>> {
  return paid({ ...merchant, card: { ...merchant.card, cvv2 } })
}

async function cardRef(merchant: Merchant): Promise<string> {
  const result = await merchant.client.createCardRef(await paid(merchant))
  if (result.outcome !== 'accepted') throw new Error(`No card reference: ${result.outcome}`)
  return result.reply.cardRefId
}

async function recurringPayment(merchant: Merchant): Promise<string> {
  const result = await merchant.client.createRecurringPayment(await flows.createRecurringPayment(merchant))
  if (result.outcome !== 'accepted') throw new Error(`No recurring payment: ${result.outcome}`)
  return result.reply.recurringPaymentId
}

function charge(recurringPaymentId: string): RequestInput<'processRecurringPayment'> {
  return { clientOrderId: newOrderId(), recurringPaymentId, ...money }
}

function update(recurringPaymentId: string): RequestInput<'updateRecurringPayment'> {
  return { clientOrderId: newOrderId(), recurringPaymentId, amount: '35.00' }
}

async function idsOf(clientOrderId: string, result: OperationResult<'sale'>, { settled }: Merchant) {
  if (result.outcome !== 'accepted') throw new Error(`${clientOrderId} was not accepted: ${result.outcome}`)
  await settled(clientOrderId)
  return { clientOrderId, orderId: result.reply.orderId }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
