import type { Background } from '../background.ts'

/** Resolves when no work goes on any more, and after so long at the latest. */
export async function settledWithin(ms: number, work: Pick<Background, 'settled'>): Promise<void> {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, ms)
  await Promise.race([work.settled(), patience.promise])
  clearTimeout(timer)
}
