import { decodeRequest, type Pair } from '@tallystick/core'
import { majorUnits } from '../orders/amounts.ts'
import { openingOperation } from '../orders/operations.ts'
import type { RealTime } from '../runtime/real-time.ts'
import type { Store } from '../store/store.ts'
import { type Verification, type VerificationInput, verifyRequest } from './verify-request.ts'

const REFUSED: Verification = { ok: false }
/** As wide as those of most orders. */
const NO_ORDER = { amount: 1042n, currency: 'EUR' }

/**
 * Verifies the third form of a capture's control: the official PHP library signs the amount and the currency of the order
 * and sends neither (gaps part 7.1, conflict C4). Such a request captures all that is left, as any capture without an amount.
 * If there is no such endpoint, the order is looked for under the decoy's login, and if there is no such order, the control is
 * compared with that of another one. A store still takes longer for an order than for none, and longest for one that was not read
 * lately, so a refusal comes only when the next hundredth of a second is full: a stranger cannot learn by the time which orders exist.
 */
export async function verifyCaptureOfOrder(
  input: VerificationInput,
  store: Pick<Store, 'findOrder'>,
  time: Pick<RealTime, 'pause'>,
): Promise<Verification> {
  let isRead = false
  // Begun before the work: timers know whole milliseconds alone, so that one for the rest of the time would end by so much later.
  const ticks = async () => {
    do await time.pause(EVERY_MS)
    while (!isRead)
  }
  const full = ticks()
  const verified = await verifyByOrder(input, store).finally(() => {
    isRead = true
  })
  if (!verified.ok) await full
  return verified
}

/** Longer than a store takes to read an order. */
const EVERY_MS = 10

async function verifyByOrder(input: VerificationInput, store: Pick<Store, 'findOrder'>): Promise<Verification> {
  const { request, target, decoy, profile } = input
  const decoded = decodeRequest('capture', request.pairs, profile)
  if (!decoded.ok || decoded.value.amount !== undefined) return REFUSED
  const { clientOrderId, orderId } = decoded.value
  const { login } = target?.merchant ?? decoy
  const order = await store.findOrder({ login, clientOrderId, orderId })
  const { currency } = order?.terms ?? NO_ORDER
  const whole =
    majorUnits(order === undefined ? NO_ORDER.amount : openingOperation(order).amount, currency, profile) ?? ''
  // As short as it can be written: 10000000.00 is longer than an amount of a request may be.
  const amount = whole.includes('.') ? whole.replace(/\.?0{1,4}$/, '') : whole
  const others = request.pairs.filter(([name]) => name !== 'amount' && name !== 'currency')
  const pairs: readonly Pair[] = [...others, ['amount', amount], ['currency', currency]]
  const verified = verifyRequest({ ...input, request: { ...request, pairs } })
  // Of an order that moved no money they are no amount and no currency: nobody sent these.
  return verified.ok && order !== undefined ? verified : REFUSED
}
