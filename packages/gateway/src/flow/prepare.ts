import type { Acquirer, Instrument, Prepared } from '../acquirer/acquirer.ts'
import { isTooLate } from '../in-time.ts'
import type { Service } from './service.ts'

/**
 * Hands an instrument to the acquirer. One that is taken after whoever asked was told that it took too long is of no use: a
 * merchant has asked for the status since, found no order, and may have begun another.
 *
 * @param context `at`: when it was asked for
 * @throws Error when it is too late
 */
export async function prepare(
  instrument: Instrument,
  { acquirer, clock, at }: Pick<Service, 'acquirer' | 'clock'> & { readonly at: number },
): Promise<Prepared> {
  const prepared = await taken(instrument, acquirer)
  if (isTooLate(at, clock)) throw new Error('The acquirer took the card too late')
  return prepared
}

/**
 * What the acquirer gives for an instrument. One of plain JavaScript may give anything: an order that was sent is told by its
 * reference, and one without could neither be written as sent nor looked up.
 *
 * @throws TypeError when the reference is no text
 */
export async function taken(instrument: Instrument, acquirer: Pick<Acquirer, 'prepare'>): Promise<Prepared> {
  const prepared: Partial<Prepared> | undefined = await acquirer.prepare(instrument)
  const { reference, authenticates } = prepared ?? {}
  if (typeof reference === 'string') return { reference, authenticates: authenticates === true }
  throw new TypeError('The acquirer has given no reference for what it was handed: it must be a text')
}
