import { type Acquirer, type Clock, type Decision, simulator } from '../../src/index.ts'
import { declined } from '../support/acquirers.ts'

/** How the bank answers the next requests, and what really becomes of them. */
export interface Mood {
  readonly answers: 'at once' | 'late' | 'never' | 'unknown' | 'by failing'
  /** `as usual`: what the simulator decides. `nothing`: the request never reached the bank. */
  readonly truth: 'as usual' | 'declined' | 'filtered' | 'error' | 'nothing'
  /** How many look-ups it answers with `unknown` before it knows. */
  readonly forgets: number
  readonly lateByMs: number
  /** Whether it refuses to take cards. */
  readonly isShut: boolean
}

export const IN_ORDER: Mood = { answers: 'at once', truth: 'as usual', forgets: 0, lateByMs: 0, isShut: false }

/** A request to the bank, or its answer. */
export type Traffic = { readonly at: number; readonly reference: string } & (
  | { readonly what: 'executes'; readonly kind: string; readonly amount: bigint; readonly currency: string }
  | { readonly what: 'authenticates'; readonly step: string }
  | {
      readonly what: 'answers'
      readonly asked: 'execute' | 'authenticate' | 'lookup'
      readonly status: Decision['status'] | 'nothing'
      readonly step: string | undefined
    }
)

const DAY = 86_400_000
const FAILED = declined('Not authenticated')

interface Affair {
  truth: Decision | undefined
  knownAt: number
  forgets: number
}

/** The simulator with moods. Unlike the simulator it remembers, and its memory outlives the gateway that asked. */
export function moodyBank(clock: () => Clock, random: (target: Uint8Array) => void) {
  const usual = simulator({ random })
  const affairs = new Map<string, Affair>()
  const results = new Set<string>()
  const traffic: Traffic[] = []
  const wrong: string[] = []
  let mood = IN_ORDER
  const now = () => clock().now()

  function truthOf(decision: Decision): Decision | undefined {
    if (mood.truth === 'nothing') return undefined
    if (mood.truth === 'as usual') return decision
    return { status: mood.truth, errorCode: '100', errorMessage: `The bank says ${mood.truth}` }
  }

  async function answer(reference: string, asked: 'execute' | 'authenticate', decision: Decision): Promise<Decision> {
    const { answers, forgets, lateByMs } = mood
    const truth = truthOf(decision) ?? (asked === 'authenticate' ? decision : undefined)
    const isLater = answers === 'late'
    affairs.set(reference, {
      truth,
      knownAt: isLater ? now() + lateByMs : now(),
      forgets: answers === 'at once' ? 0 : forgets,
    })
    const say = (said: Decision) => {
      const step = said.status === 'processing' ? said.awaits.step : undefined
      traffic.push({ at: now(), reference, what: 'answers', asked, status: said.status, step })
      return said
    }
    if (answers === 'never') return await new Promise(() => {})
    if (isLater) {
      return await new Promise((resolve) =>
        clock().schedule(lateByMs, () => resolve(say(truth ?? { status: 'unknown' }))),
      )
    }
    if (answers === 'unknown' || (truth === undefined && answers === 'at once')) return say({ status: 'unknown' })
    if (answers === 'by failing') {
      say({ status: 'unknown' })
      throw new Error('the line is down')
    }
    return say(truth ?? { status: 'unknown' })
  }

  const acquirer: Acquirer = {
    ...usual,
    tokenize: async (instrument) => {
      if (mood.isShut) throw new Error('the bank is shut')
      return await usual.tokenize(instrument)
    },
    execute: async (instruction) => {
      const { reference, kind, amount, currency } = instruction
      traffic.push({ at: now(), reference, what: 'executes', kind, amount, currency })
      if (affairs.has(reference))
        wrong.push(`${reference} was carried out twice, or after the bank had never heard of it`)
      return await answer(reference, 'execute', await usual.execute(instruction))
    },
    authenticate: async (instruction, result) => {
      const { reference } = instruction
      const once = `${reference} ${result.step}`
      if (results.has(once)) wrong.push(`${once} was brought twice`)
      results.add(once)
      traffic.push({ at: now(), reference, what: 'authenticates', step: result.step })
      return await answer(reference, 'authenticate', await usual.authenticate(instruction, result))
    },
    lookup: async ({ reference }) => {
      const affair = affairs.get(reference)
      const isKnown = affair !== undefined && now() >= affair.knownAt && affair.forgets-- <= 0
      // An authentication that nobody finishes within a day fails.
      if (affair?.truth?.status === 'processing' && now() >= affair.knownAt + DAY) affair.truth = FAILED
      const said: Decision | undefined =
        affair === undefined ? undefined : isKnown ? affair.truth : { status: 'unknown' }
      if (affair === undefined) affairs.set(reference, { truth: undefined, knownAt: 0, forgets: 0 })
      const step = said?.status === 'processing' ? said.awaits.step : undefined
      traffic.push({ at: now(), reference, what: 'answers', asked: 'lookup', status: said?.status ?? 'nothing', step })
      return said
    },
  }
  return {
    acquirer,
    wrong,
    feels: (next: Mood) => {
      mood = next
    },
    /** Returns the traffic since the last call. */
    takeTraffic: () => traffic.splice(0),
  }
}
