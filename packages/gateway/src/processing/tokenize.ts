import { exponentOf, maskSent, withoutSentCvv } from '@tallystick/core'
import type {
  Acquirer,
  Instrument,
  PaymentOrigin,
  Preparation,
  PreparationRefused,
  Prepared,
} from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { ANSWER_WITHIN_MS, inTime, isTooLate } from '../runtime/in-time.ts'
import { shownMessage } from './stored-outcome.ts'

/** The payment that an instrument is for. */
export type PaymentToPrepare = PaymentOrigin & Pick<Preparation, 'kind' | 'amount' | 'currency'>

type Context = Pick<Service, 'acquirer' | 'clock' | 'profile'>

/**
 * Hands the instrument of a request to the acquirer. An answer after the request has timed out is of no use: the merchant may
 * have asked for the status since, found no order, and begun another. If there is none in time, that is reported: the request
 * itself only times out.
 *
 * @param context `at`: when the request came
 * @throws Error if the acquirer fails, or its answer is too late
 */
export async function prepare(
  instrument: Instrument,
  payment: PaymentToPrepare,
  context: Context & Pick<Service, 'onError'> & { readonly at: number; readonly serialNumber?: string },
): Promise<Prepared | PreparationRefused> {
  const { clock, at, onError, serialNumber } = context
  const stopWaiting = clock.schedule(at + ANSWER_WITHIN_MS - clock.now(), () =>
    onError(new Error('The acquirer has not answered prepare in the time of the request'), serialNumber),
  )
  const prepared = await askToPrepare(instrument, payment, context).finally(stopWaiting)
  if (isTooLate(context.at, context.clock)) throw new Error('The acquirer took the card too late')
  return prepared
}

/**
 * What the acquirer returns for an instrument. In plain JavaScript it may return anything, and an order without a reference
 * could neither be written as sent nor looked up.
 *
 * @param withinMs how long to wait. Absent: the request has a limit of its own
 * @throws Error if it fails, TypeError if it returns neither a reference nor a reason
 */
export async function askToPrepare(
  instrument: Instrument,
  payment: PaymentToPrepare,
  { acquirer, clock, profile }: Context,
  withinMs?: number,
): Promise<Prepared | PreparationRefused> {
  const decimals = exponentOf(payment.currency, profile.exponents)
  const prepared: Partial<Prepared & PreparationRefused> | undefined = await named('prepare', () => {
    const ask = async () => await acquirer.prepare({ ...instrument, ...payment, decimals, at: clock.now() })
    return withinMs === undefined ? ask() : inTime(ask(), clock, withinMs)
  })
  const { reference, authenticates, refused } = prepared ?? {}
  if (refused !== undefined) return { refused: reasonOf(refused, instrument) }
  if (typeof reference === 'string') return { reference, authenticates: authenticates === true }
  throw new TypeError('The acquirer has returned no reference from prepare: it must be a text')
}

/** What a merchant reads: without it they could not know what to change. The bank may quote the card, however it spells it. */
function reasonOf(refused: unknown, { card, destination }: Instrument): string {
  const sent = [card?.pan, card?.cvv, destination?.pan].filter((each) => each !== undefined)
  const reason = shownMessage(typeof refused === 'string' ? withoutSentCvv(maskSent(refused, sent), sent) : refused)
  if (reason?.trim()) return reason
  throw new TypeError('The acquirer has refused in prepare without a reason: refused must be a text')
}

/** Calls a method of the acquirer. Its failure is reported among many others, so it says which method failed. */
export async function named<Answer>(
  method: keyof Omit<Acquirer, 'isSimulated'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The acquirer has failed in ${method}: ${why}`, { cause: error })
  }
}
