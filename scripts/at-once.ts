/** How many things run at once on two cores: a third one would slow down the others. */
const LANES = 2

/** Does something with each of the items in their order, so many at a time. */
export async function atOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  lanes = LANES,
): Promise<void> {
  const left = items.values()
  const lane = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** When something may run. */
export interface Turn {
  readonly name: string
  /** It uses both cores or measures time, so nothing may run at the same time. */
  readonly isAlone?: boolean
}

/**
 * Does something with each of the items, as far as possible in their order, and two at a time if they do not disturb each other.
 * A failure stops none of the others; the first error is thrown when all have ended.
 */
export async function inTurns<Item extends Turn>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const running = new Map<Item, Promise<void>>()
  const errors: unknown[] = []
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find((item) => mayStart(item, [...running.keys()]))
    if (next === undefined) {
      await Promise.race(running.values())
      continue
    }
    waiting.splice(waiting.indexOf(next), 1)
    running.set(
      next,
      work(next)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(next)),
    )
  }
  if (errors.length > 0) throw errors[0]
}

function mayStart({ isAlone }: Turn, running: readonly Turn[]): boolean {
  const most = isAlone === true || running.some((other) => other.isAlone === true) ? 1 : LANES
  return running.length < most
}
