import type { Acquirer, Instrument, Prepared } from '../acquirer/acquirer.ts'
import { isTooLate } from '../in-time.ts'
import type { Service } from './service.ts'

/**
 * Hands the instrument of a request to the acquirer. An answer after the request has timed out is of no use: the merchant may
 * have asked for the status since, found no order, and begun another.
 *
 * @param context `at`: when the request came
 * @throws Error if the answer is too late
 */
export async function prepare(
  instrument: Instrument,
  { acquirer, clock, at }: Pick<Service, 'acquirer' | 'clock'> & { readonly at: number },
): Promise<Prepared> {
  const prepared = await askToPrepare(instrument, acquirer)
  if (isTooLate(at, clock)) throw new Error('The acquirer took the card too late')
  return prepared
}

/**
 * What the acquirer returns for an instrument. In plain JavaScript it may return anything, and an order without a reference
 * could neither be written as sent nor looked up.
 *
 * @throws TypeError if the reference is not a text
 */
export async function askToPrepare(instrument: Instrument, acquirer: Pick<Acquirer, 'prepare'>): Promise<Prepared> {
  const prepared: Partial<Prepared> | undefined = await acquirer.prepare(instrument)
  const { reference, authenticates } = prepared ?? {}
  if (typeof reference === 'string') return { reference, authenticates: authenticates === true }
  throw new TypeError('The acquirer has returned no reference from prepare: it must be a text')
}
