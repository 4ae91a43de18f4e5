import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../../../scripts/proof/random.ts'
import { type Passed, type Passing, pass } from './passing.ts'

/** A signed request with a nonce, as it was seen on its way, and how often it was accepted so far. */
interface Captured {
  readonly passed: Passed
  readonly seenAt: number
  accepted: number
}

/** Somebody between the shop and the gateway: he keeps what is signed by OAuth, and sends it again, to every node. */
export interface Replays {
  /** Passes a request on, and keeps it. Some go to a second node at the same instant. */
  around(passed: Passed, toNext: () => Promise<Passing>): Promise<Passing>
  /** Sends again until so many were answered, or it is over. */
  replay(most: number, isOver: () => boolean): Promise<void>
  /** How many were answered by their nonce or otherwise; and accepted though the nonce had been. */
  counts(): { readonly answered: number; readonly accepted: number }
}

export interface ReplayOptions {
  readonly nodes: () => readonly string[]
  readonly random: Random
  readonly findings: string[]
}

/** Of a hundred so many go to two nodes at once. */
const RACED = 15
const AT_ONCE = 24
/** A gateway takes what is up to 300 s old: what is replayed is younger, so that the nonce alone can tell. */
const YOUNG_MS = 200_000
const AGAIN_AFTER_MS = 20

export function replays({ nodes, random, findings }: ReplayOptions): Replays {
  const agent = new Agent({ keepAlive: true })
  const captured: Captured[] = []
  let [answered, accepted] = [0, 0]

  function note(one: Captured, passing: Passing): void {
    if (!isAccepted(passing)) return
    one.accepted++
    if (one.accepted === 1) return
    accepted++
    findings.push(`${one.passed.url}: one nonce was accepted ${one.accepted} times`)
  }

  async function toTwo(one: Captured, toNext: () => Promise<Passing>): Promise<Passing> {
    const both = await Promise.all([toNext(), toNext()])
    for (const passing of both) note(one, passing)
    return both.find(isAccepted) ?? both.find((passing) => passing === 'lost') ?? both[0]
  }

  async function toAll(one: Captured): Promise<void> {
    await Promise.all(
      nodes().map(async (node) => {
        const passing = await pass(one.passed, node, agent)
        note(one, passing)
        if (typeof passing !== 'string' && (passing.status === 403 || passing.status === 200)) answered++
      }),
    )
  }

  /** One of those that are young still. */
  function pick(): Captured | undefined {
    const oldest = captured.findIndex(({ seenAt }) => Date.now() - seenAt < YOUNG_MS)
    return oldest < 0 ? undefined : captured[oldest + random.below(captured.length - oldest)]
  }

  async function work(most: number, isOver: () => boolean): Promise<void> {
    while (answered < most && !isOver()) {
      const one = pick()
      if (one === undefined || nodes().length === 0) await pause(AGAIN_AFTER_MS)
      else await toAll(one)
    }
  }

  return {
    around: async (passed, toNext) => {
      if (!isSigned(passed)) return await toNext()
      const one = { passed, seenAt: Date.now(), accepted: 0 }
      const isRaced = random.below(100) < RACED
      const passing = isRaced ? await toTwo(one, toNext) : await toNext()
      if (!isRaced) note(one, passing)
      // From now on: what the merchant sent is what is accepted, wherever it is not lost.
      captured.push(one)
      return passing
    },
    replay: async (most, isOver) => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(most, isOver)))
      agent.destroy()
    },
    counts: () => ({ answered, accepted }),
  }
}

function isSigned({ headers, body }: Passed): boolean {
  return headers.authorization?.includes('oauth_nonce') === true || body.includes('oauth_nonce=')
}

function isAccepted(passing: Passing): boolean {
  return typeof passing !== 'string' && passing.status === 200 && passing.body.includes('async-response')
}
