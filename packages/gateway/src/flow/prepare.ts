import type { Acquirer, Instrument, Prepared } from '../acquirer/acquirer.ts'
import { isTooLate } from '../in-time.ts'
import type { Service } from './service.ts'

/**
 * Hands the instrument of a request to the acquirer. An answer that comes after the request was told that it took too long is of
 * no use: the merchant has asked for the status since, found no order, and may have begun another.
 *
 * @param context `at`: when the request came
 * @throws Error when the answer is too late
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
 * What the acquirer gives for an instrument. An acquirer of plain JavaScript may give anything: an order without a reference
 * could neither be written as sent nor looked up.
 *
 * @throws TypeError when the reference is no text
 */
export async function askToPrepare(instrument: Instrument, acquirer: Pick<Acquirer, 'prepare'>): Promise<Prepared> {
  const prepared: Partial<Prepared> | undefined = await acquirer.prepare(instrument)
  const { reference, authenticates } = prepared ?? {}
  if (typeof reference === 'string') return { reference, authenticates: authenticates === true }
  throw new TypeError('The acquirer has given no reference for what it was handed: it must be a text')
}
