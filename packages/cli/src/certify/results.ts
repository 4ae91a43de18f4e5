import { isPaymentError } from '@tallystick/core'
import { asTyped } from '../arguments/as-typed.ts'
import type { World } from '../world.ts'
import { type Candidate, type Check, Finding, NotTried } from './check.ts'
import { credentialsCheck } from './checks/controls.ts'
import { shutOut } from './shut-out.ts'

/** What came of a check. */
export interface Result {
  readonly claim: string
  readonly source: string
  readonly verdict: 'right' | 'wrong' | 'not tried'
  /** What the gateway does instead, or what was missing. */
  readonly detail?: string
}

/** Gives each result as soon as there is one. */
export async function* resultsOf(
  checks: readonly Check[],
  candidate: Candidate,
  world: World,
): AsyncGenerator<Result, void> {
  const why = await patiently('whether the gateway accepts the key', () => shutOut(candidate), world)
  if (why !== undefined) return yield* nothingTried(why, checks)
  for (const [at, check] of checks.entries()) {
    const place = `${check.claim} (${at + 1} of ${checks.length})`
    yield await patiently(place, () => resultOf(check, candidate), world)
  }
}

function nothingTried(why: string, checks: readonly Check[]): readonly Result[] {
  const { claim, source } = credentialsCheck
  const others = checks.filter((check) => check !== credentialsCheck)
  return [
    { claim, source, verdict: 'wrong', detail: asTyped(why) },
    ...others.map((check): Result => ({ claim: check.claim, source: check.source, verdict: 'not tried' })),
  ]
}

/** As long as somebody waits without a doubt. */
const LONG_MS = 5_000

/** Says what takes long, beside the results: the reader of a log or of JSON sees no cursor. */
async function patiently<Done>(what: string, work: () => Promise<Done>, { schedule, warn }: World): Promise<Done> {
  const cancel = schedule(LONG_MS, () => warn(`still trying: ${what}`))
  try {
    return await work()
  } finally {
    cancel()
  }
}

async function resultOf({ run, claim, source }: Check, candidate: Candidate): Promise<Result> {
  try {
    await run(candidate)
    return { claim, source, verdict: 'right' }
  } catch (error) {
    if (error instanceof NotTried) return { claim, source, verdict: 'not tried', detail: asTyped(error.message) }
    if (error instanceof Finding || isPaymentError(error))
      return { claim, source, verdict: 'wrong', detail: asTyped(error.message) }
    throw error
  }
}
