import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import { type Handoff, handOff, type Passed } from './front.ts'

/** A signed request with a nonce, as it was seen on its way, and how often it has been accepted. */
interface Captured {
  readonly passed: Passed
  readonly seenAt: number
  accepted: number
}

interface ReplayOptions {
  readonly nodes: () => readonly string[]
  readonly random: Random
  readonly findings: string[]
}

/** The percentage that go to two nodes at once. */
const RACED = 15
const AT_ONCE = 24
/** A gateway takes requests up to 300 s old: replayed ones are younger, so that only the nonce can give them away. */
const YOUNG_MS = 200_000
const AGAIN_AFTER_MS = 20

/** An attacker between the shop and the gateway, who records requests signed by OAuth and sends them again, to every node. */
export function replays({ nodes, random, findings }: ReplayOptions) {
  const agent = new Agent({ keepAlive: true })
  const captured: Captured[] = []
  let [answered, accepted] = [0, 0]

  function note(one: Captured, handoff: Handoff): void {
    if (!isAccepted(handoff)) return
    one.accepted++
    if (one.accepted === 1) return
    accepted++
    findings.push(`${one.passed.url}: one nonce was accepted ${one.accepted} times`)
  }

  async function toTwo(one: Captured, toNext: () => Promise<Handoff>): Promise<Handoff> {
    const both = await Promise.all([toNext(), toNext()])
    for (const handoff of both) note(one, handoff)
    return both.find(isAccepted) ?? both.find((handoff) => handoff === 'lost') ?? both[0]
  }

  async function toAll(one: Captured): Promise<void> {
    await Promise.all(
      nodes().map(async (node) => {
        const handoff = await handOff(one.passed, node, agent)
        note(one, handoff)
        if (typeof handoff !== 'string' && (handoff.status === 403 || handoff.status === 200)) answered++
      }),
    )
  }

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
    /** Passes a request on, and records it. Some go to a second node at the same instant. */
    around: async (passed: Passed, toNext: () => Promise<Handoff>): Promise<Handoff> => {
      if (!isSigned(passed)) return await toNext()
      const one = { passed, seenAt: Date.now(), accepted: 0 }
      const isRaced = random.below(100) < RACED
      const handoff = isRaced ? await toTwo(one, toNext) : await toNext()
      if (!isRaced) note(one, handoff)
      // Only from now on: unless it is lost, the merchant's own request is the one that is accepted.
      captured.push(one)
      return handoff
    },
    /** Sends requests again until this many were answered, or it is over. */
    replay: async (most: number, isOver: () => boolean) => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(most, isOver)))
      agent.destroy()
    },
    /** How many replays were answered, and how many were accepted although their nonce had been used. */
    counts: () => ({ answered, accepted }),
  }
}

function isSigned({ headers, body }: Passed): boolean {
  return headers.authorization?.includes('oauth_nonce') === true || body.includes('oauth_nonce=')
}

function isAccepted(handoff: Handoff): boolean {
  return typeof handoff !== 'string' && handoff.status === 200 && handoff.body.includes('async-response')
}
