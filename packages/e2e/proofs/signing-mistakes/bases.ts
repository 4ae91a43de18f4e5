import type { Random } from '@tallystick/proof-kit'
import { ENDPOINT, type Field, GROUP, LOGIN, type World } from './world.ts'

/** A request that would be accepted, before it is signed. */
export interface Base {
  readonly operation: string
  readonly scheme: Scheme
  readonly path: string
  /** The id in the path, and the path's part before it. */
  readonly endpoint: string
  readonly segment: string
  readonly fields: readonly Field[]
  /** Of a control: the fields that are signed, as the specification's part 4 has them. */
  readonly formula: Formula
  /** The gateway's id of the order that is asked for, if it was not sent. */
  readonly storedOrderId: string
  readonly nonce: string
  readonly timestamp: number
}

export type Scheme = 'control' | 'HMAC-SHA1' | 'RSA-SHA256'
export type Formula = readonly string[]

export const FORMULAS = {
  paid: ['endpointId', 'clientOrderId', 'amount', 'email'],
  verified: ['endpointId', 'clientOrderId', 'email'],
  modified: ['login', 'clientOrderId', 'orderId', 'amount', 'currency'],
  named: ['login', 'clientOrderId', 'orderId'],
  rebilled: ['login', 'clientOrderId', 'cardRefId', 'amount', 'currency'],
  informed: ['login', 'cardRefId'],
} as const satisfies Readonly<Record<string, Formula>>

type Row = readonly [operation: string, path: string, formula: Formula]

const OPERATIONS: Readonly<Record<Scheme, readonly Row[]>> = {
  control: [
    ['sale', '/api/v2/sale', FORMULAS.paid],
    ['preauth', '/api/v2/preauth', FORMULAS.paid],
    ['saleForm', '/api/v2/sale-form', FORMULAS.paid],
    ['paymentForm', '/api/v2/payment-form', FORMULAS.paid],
    ['accountVerification', '/api/v2/account-verification', FORMULAS.verified],
    ['capture', '/api/v2/capture', FORMULAS.modified],
    ['return', '/api/v2/return', FORMULAS.modified],
    ['void', '/api/v2/void', FORMULAS.named],
    ['status', '/api/v2/status', FORMULAS.named],
    ['createCardRef', '/api/v2/create-card-ref', FORMULAS.named],
    ['makeRebill', '/api/v2/make-rebill', FORMULAS.rebilled],
    ['getCardInfo', '/api/v2/get-card-info', FORMULAS.informed],
  ],
  'HMAC-SHA1': [
    ['payout', '/api/v2/payout', []],
    ['payoutForm', '/api/v2/payout-form', []],
  ],
  'RSA-SHA256': [
    ['payoutCheck', '/api/v4/payout-check', []],
    ['payoutPay', '/api/v4/payout-pay', []],
    ['transfer', '/api/v4/transfer', []],
    ['createRecurringPayment', '/api/v4/create-recurring-payment', []],
  ],
}

/** Which operation makes the order that another acts on. */
const BEFORE: Readonly<Record<string, string>> = {
  capture: 'preauth',
  return: 'sale',
  void: 'preauth',
  status: 'sale',
  createCardRef: 'sale',
  makeRebill: 'sale',
  getCardInfo: 'sale',
  payoutPay: 'payoutCheck',
}

const ADDRESSES = ['Ann.Lee@Example.com', 'b+c@shop.example', "O'Neil@example.org"]
const TEXTS = ['shoes (red) & more! ~', "it's a *gift* of 5 €", 'Zoë Quinn + one, 100 %', 'a b c!']

export async function anyBase(scheme: Scheme, random: Random, world: World, at: number): Promise<Base> {
  const [operation, path, formula] = random.pick(OPERATIONS[scheme])
  const before = BEFORE[operation]
  const changes: Record<string, string> = {
    clientOrderId: `Inv-${random.text(6, 'abcDEF0123456789')}-${at}x`,
    amount: amountOf(random),
    email: random.pick(ADDRESSES),
    orderDesc: random.pick(TEXTS),
    login: LOGIN,
  }
  let storedOrderId = ''
  if (before !== undefined) {
    const made = await world.carryOut(before, { clientOrderId: `B${changes['clientOrderId']}`, amount: '10.00' })
    storedOrderId = made.orderId ?? ''
    const ids = { clientOrderId: made.clientOrderId ?? '', orderId: storedOrderId }
    if (operation === 'makeRebill' || operation === 'getCardInfo') {
      const { values } = await world.carryOut('createCardRef', ids)
      changes['cardRefId'] = values['cardRefId'] ?? ''
    } else Object.assign(changes, ids)
  }
  const isGroup = scheme === 'control' && ['sale', 'preauth'].includes(operation) && random.below(4) === 0
  return {
    operation,
    scheme,
    path,
    endpoint: isGroup ? GROUP : ENDPOINT,
    segment: isGroup ? '/group/' : '/',
    fields: (await world.exampleOf(operation)).map((each) => ({
      ...each,
      value: changes[each.field ?? ''] ?? each.value,
    })),
    formula,
    storedOrderId,
    nonce: random.text(24, 'abcdefghij0123456789'),
    timestamp: Math.floor(Date.now() / 1000),
  }
}

function amountOf(random: Random): string {
  const whole = String(1 + random.below(900))
  const cents = random.text(2, '0123456789')
  return random.pick([
    `${whole}.${cents}`,
    `${whole}.${cents}`,
    `${whole}.${random.below(10)}`,
    `0.${1 + random.below(9)}${cents[0]}`,
    `${whole}.00`,
    '19.99',
    '8.41',
  ])
}
