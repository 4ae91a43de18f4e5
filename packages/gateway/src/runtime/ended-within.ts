/** Resolves when the work has ended, or after `ms` at the latest. */
export async function endedWithin(ms: number, work: Promise<void>): Promise<void> {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, ms)
  await Promise.race([work, patience.promise]).finally(() => clearTimeout(timer))
}
