import type { Belief, Policy, Seen } from './policy.ts'

/** What a careless client remembers of an attempt. */
interface Naive {
  readonly belief: Belief
  readonly isBeingSent: boolean
  readonly absences: number
  readonly sends: number
}

const BEGUN: Naive = { belief: 'open', isBeingSent: true, absences: 0, sends: 1 }
const MOST_SENDS = 2

/** What the three have in common: they believe a reply, and a status that was found. */
function naive(
  name: string,
  { absent, sendsAgain }: { absent: (memory: Naive) => Naive; sendsAgain: (memory: Naive) => boolean },
): Policy<Naive> {
  const over = (memory: Naive): Naive => ({ ...memory, isBeingSent: false })
  const seen: Readonly<Record<Seen, (memory: Naive) => Naive>> = {
    found: (memory) => ({ ...memory, belief: 'charged' }),
    absent,
    silent: (memory) => memory,
  }
  return {
    name,
    begin: () => BEGUN,
    orphaned: over,
    lost: over,
    accepted: (memory) => ({ ...over(memory), belief: 'charged' }),
    looked: (memory, look) => seen[look.seen](memory),
    sendsAgain: (memory) =>
      !memory.isBeingSent && memory.belief === 'open' && memory.sends < MOST_SENDS && sendsAgain(memory)
        ? { ...memory, isBeingSent: true, absences: 0, sends: memory.sends + 1 }
        : undefined,
    beliefOf: ({ belief }) => belief,
    isWatched: ({ belief }) => belief !== 'absent',
  }
}

const counted = (memory: Naive): Naive => ({ ...memory, absences: Math.min(2, memory.absences + 1) })

/**
 * Policies that look reasonable and that many shops have. The model must show that each of them fails, else it proves nothing.
 */
export const naivePolicies = [
  naive('send again on time-out', { absent: counted, sendsAgain: () => true }),
  naive('send again on "not found"', { absent: counted, sendsAgain: ({ absences }) => absences > 0 }),
  naive('"not found" twice is final', {
    absent: (memory) => (memory.absences > 0 ? { ...counted(memory), belief: 'absent' } : counted(memory)),
    sendsAgain: () => false,
  }),
]
