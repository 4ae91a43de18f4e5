import type { Instrument, Prepared } from '../acquirer/acquirer.ts'
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
  const prepared = await acquirer.prepare(instrument)
  if (isTooLate(at, clock)) throw new Error('The acquirer took the card too late')
  return prepared
}
