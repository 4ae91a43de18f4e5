import type { Intent } from '@tallystick/client/ports'
import type { BusinessKey, Journal, JournalInput, PayOptions } from '@tallystick/journal'
import type { Random } from '@tallystick/proof-kit'
import { buildInput, cards } from '@tallystick/testing'
import type { Effects } from './killable.ts'

type PaymentEndpoint = Pick<PayOptions, 'endpointId' | 'endpointGroupId'>

/** What the merchant wants: an order, and then the steps with it and its card, one after the other. */
export interface Scenario {
  readonly opening: Step
  readonly others: readonly Step[]
  /** The endpoint it is sent to: the client's own, or a named one. */
  readonly endpoint: PaymentEndpoint
}

/** A request under a business key. No two steps of a scenario make the same request. */
export interface Step {
  readonly key: BusinessKey
  readonly operation: Operation
  /** In major units. Absent: the whole amount. */
  readonly amount?: string | undefined
}

const OPENINGS = ['sale', 'preauth', 'payout', 'payoutCheck'] as const
/** How many of a dozen. Operations signed by RSA are few, since RSA is slow. */
const OFTEN = { sale: 6, preauth: 4, payout: 1, payoutCheck: 1 }
const DOZEN = OPENINGS.flatMap((operation) => Array.from({ length: OFTEN[operation] }, () => operation))

type Operation =
  | (typeof OPENINGS)[number]
  | 'capture'
  | 'void'
  | 'return'
  | 'payoutPay'
  | 'createCardRef'
  | 'makeRebill'

/** The order that a step is about, and the reference of its card. */
type Order = Partial<Pick<Intent, 'clientOrderId' | 'orderId' | 'reference'>>

/** Where the merchant makes the requests. */
export interface Checkout {
  readonly journal: Journal<Effects>
  readonly random: Random
}

export const CALLBACK_URL = 'http://shop.example.com/callback'
const CURRENCY = 'USD'
const MOST_ATTEMPTS = 3
const CARD = { operation: 'createCardRef' } as const
const REBILL = { operation: 'makeRebill', amount: '7.77' } as const
/** What may follow, including what the gateway refuses. */
const FOLLOWING: Readonly<Record<(typeof OPENINGS)[number], readonly Omit<Step, 'key'>[]>> = {
  sale: [
    { operation: 'return' },
    { operation: 'return', amount: '1.25' },
    { operation: 'return', amount: '0.50' },
    { operation: 'void' },
    { operation: 'capture' },
  ],
  preauth: [
    { operation: 'capture' },
    { operation: 'capture', amount: '2.25' },
    { operation: 'capture', amount: '3.50' },
    { operation: 'return', amount: '1.25' },
    { operation: 'return' },
    { operation: 'void' },
  ],
  payout: [],
  payoutCheck: [{ operation: 'payoutPay' }],
}

export function scenarios(random: Random, endpoints: readonly PaymentEndpoint[]): readonly Scenario[] {
  return Array.from({ length: 1 + random.below(3) }, (_, n) => scenario(`invoice ${n}`, random, random.pick(endpoints)))
}

function scenario(key: string, random: Random, endpoint: PaymentEndpoint): Scenario {
  const operation = random.pick(DOZEN)
  const opening = { key, operation, amount: `${10 + random.below(80)}.${random.digits(2)}` }
  const most = operation === 'payoutCheck' ? 1 : random.pick([0, 0, 1, 2, 3])
  const following = random.shuffle(FOLLOWING[operation]).slice(0, most)
  const isStored = operation === 'sale' && random.below(4) === 0
  const others = isStored ? [CARD, REBILL, ...following] : following
  return { opening, others: others.map((other) => ({ ...other, key: keyOf(key, other) })), endpoint }
}

function keyOf(key: string, { operation, amount = 'whole' }: Omit<Step, 'key'>): BusinessKey {
  return operation === 'makeRebill' ? { profile: key, period: '2030-01' } : `${key}, ${operation} ${amount}`
}

/** Whether a step makes an order of its own. */
export function makesOrder({ operation }: Step): boolean {
  return operation === 'makeRebill' || OPENINGS.some((opening) => opening === operation)
}

function inputOf({ operation, amount }: Step, { clientOrderId, orderId, reference }: Order) {
  const money = amount === undefined ? {} : { amount, currency: CURRENCY }
  switch (operation) {
    case 'sale':
    case 'preauth': {
      const urls = { serverCallbackUrl: CALLBACK_URL, notifyUrl: CALLBACK_URL }
      const { clientOrderId: _, ...input } = buildInput('sale', { ...cards.approved, ...money, ...urls })
      return input
    }
    case 'payout':
    case 'payoutCheck':
      return {
        ...money,
        accountNumber: 'DE00 EXAMPLE',
        bankName: 'Bank of Willows',
        orderDesc: 'sim',
        serverCallbackUrl: CALLBACK_URL,
      }
    case 'makeRebill':
      return { ...money, cardRefId: reference, orderDesc: 'sim', customerIp: '192.0.2.1' }
    default:
      return { clientOrderId, orderId, ...money }
  }
}

/** Goes on with a scenario from wherever it is. Called again and again, even by a new process that knows nothing. */
export async function goOn({ opening, others, endpoint }: Scenario, checkout: Checkout): Promise<void> {
  const opened = await take(opening, {}, checkout, endpoint)
  if (opened === undefined) return
  if (!isTaken(opened) && !(opened.state === 'ACCEPTED' && isHastyWith(others, checkout))) return
  let order: Order = opened
  for (const step of others) {
    const taken = await take(step, order, checkout, makesOrder(step) ? endpoint : {})
    if (taken === undefined || taken.state === 'ACCEPTED') return
    order = { ...order, reference: taken.reference ?? order.reference }
  }
}

function isTaken({ status }: Intent): boolean {
  return status === 'approved' || status === 'checked'
}

/** Whether the merchant does not wait for the outcome. They always do before storing a card: a declined payment gives none. */
function isHastyWith([next]: readonly Step[], { random }: Checkout): boolean {
  return next?.operation !== 'createCardRef' && random.below(4) === 0
}

/** `undefined`: it is not known yet whether the gateway has it, or not decided yet whether it is tried again. */
async function take(step: Step, order: Order, { journal, random }: Checkout, options: PaymentEndpoint) {
  const attempts = await journal.attempts(step.key)
  const last = attempts.at(-1)
  // The merchant's policy: what never arrived, or came to nothing, is tried again.
  const next = last !== undefined && isTriedAgain(last, random) && attempts.length < MOST_ATTEMPTS
  // Each has the fields of its operation.
  const input = inputOf(step, order) as JournalInput<'sale'>
  // Written together with the merchant's own order, and paid later.
  if (last === undefined && random.below(8) === 0) {
    await journal.prepare(step.key, step.operation as 'sale', input, [], options)
    return undefined
  }
  // The first attempt and the second are asked for as the next one, and the third by its number.
  const named = attempts.length < 2 ? ('next' as const) : attempts.length + 1
  const attempt = next || last === undefined ? { attempt: named } : {}
  const { outcome, intent } = await journal.pay(step.key, step.operation as 'sale', input, { ...options, ...attempt })
  return outcome === 'final' || outcome === 'rejected' || outcome === 'accepted' ? intent : undefined
}

function isTriedAgain({ state, status }: Intent, random: Random): boolean {
  // The merchant does not always react at once.
  if (state === 'PRESUMED_ABSENT') return random.below(3) === 0
  return state === 'FINAL' && (status === 'declined' || status === 'error')
}
