import type { Random } from '@tallystick/proof-kit'
import type { Passed, Passing } from './passing.ts'

/** Callbacks that a shop has acknowledged, by path and query. */
export type Heard = ReadonlySet<string>

/** The percentage of callbacks that reach two shops at once, as when an acknowledgement was lost. */
const TWICE = 20

/** What the front of the shops does: it sends some callbacks twice, and notes which were acknowledged. */
export function callbacksTo(random: Random) {
  const heard = new Set<string>()
  return {
    heard: heard as Heard,
    around: async ({ url }: Passed, toNext: () => Promise<Passing>): Promise<Passing> => {
      const isTwice = random.below(100) < TWICE
      const [passing = 'lost'] = await Promise.all(isTwice ? [toNext(), toNext()] : [toNext()])
      if (typeof passing !== 'string' && passing.status === 200) heard.add(url)
      return passing
    },
  }
}
