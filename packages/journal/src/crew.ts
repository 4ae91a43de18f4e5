/** Work that is done beside other work, so many pieces at a time: one that never ends keeps one hand, and no more. */
export interface Crew {
  /** Begins what there is to do, as far as hands are free, and does not wait for its end. */
  begin(): Promise<void>
  /** Does what there is to do until nothing more comes. Gives how many pieces had an effect meanwhile. */
  finish(): Promise<number>
  /** Resolves when what was begun has ended. What was not begun is left. */
  stop(): Promise<void>
}

export interface CrewOptions<Item> {
  /** How many pieces at a time. */
  readonly hands: number
  /** What there is to do. `free`: how many hands are. */
  readonly take: (free: number) => Promise<readonly Item[]>
  /** Two of one name are not done at the same time: a second one is left, for whoever takes later. */
  readonly nameOf: (item: Item) => string
  /** Gives whether it had an effect. It does not throw. */
  readonly work: (item: Item) => Promise<boolean>
  /** Something had an effect: there may be more to do, here or elsewhere. */
  readonly onDone: () => void
}

export function crew<Item>({ hands, take, nameOf, work, onDone }: CrewOptions<Item>): Crew {
  const waiting: Item[] = []
  const working = new Map<string, Promise<void>>()
  let done = 0
  let lastTaking: Promise<unknown> = Promise.resolve()

  /** One taking after the other: two at the same time would count on the same free hands. */
  function begin(): Promise<void> {
    const taking = lastTaking.then(fill)
    lastTaking = taking.catch(() => {})
    return taking
  }

  async function fill(): Promise<void> {
    if (waiting.length > 0 || working.size >= hands) return
    waiting.push(...(await take(hands - working.size)))
    staff()
  }

  function staff(): void {
    while (working.size < hands) {
      const next = waiting.shift()
      if (next === undefined) return
      const name = nameOf(next)
      if (!working.has(name)) working.set(name, handle(next, name))
    }
  }

  async function handle(item: Item, name: string): Promise<void> {
    const hadEffect = await work(item)
    working.delete(name)
    staff()
    if (!hadEffect) return
    done++
    onDone()
  }

  /** Until nothing is being done, also of what came meanwhile. */
  async function ended(): Promise<void> {
    while (working.size > 0) await Promise.all(working.values())
  }

  async function finish(): Promise<number> {
    const before = done
    for (let last = -1; last < done; ) {
      // Hands that are all busy take nothing.
      await ended()
      last = done
      await begin()
      await ended()
    }
    return done - before
  }

  return {
    begin,
    finish,
    stop: async () => {
      waiting.length = 0
      await ended()
    },
  }
}
