import { isPaymentError, type PaymentError } from '@tallystick/core'
import { asTyped } from '../../arguments/parse.ts'
import { wrapped, wrappedBehind } from '../../help.ts'
import type { World } from '../../world.ts'
import { type Candidate, type Check, Finding, isNowhere, NotTried, pageIn, Unanswered } from './check.ts'
import { credentialsCheck } from './checks/credentials.ts'

/** What came of a check. */
export interface Result {
  readonly claim: string
  readonly source: string
  readonly verdict: 'right' | 'wrong' | 'not tried'
  /** What the gateway does instead, or what was missing. */
  readonly detail?: string
  /** Something else answered than the gateway, or nobody: without that, the line would have been tried. */
  readonly unanswered?: true
}

/** Gives each result as soon as there is one. */
export async function* resultsOf(
  checks: readonly Check[],
  candidate: Candidate,
  world: World,
): AsyncGenerator<Result, void> {
  const out = await withProgress('whether the gateway accepts the key', () => shutOut(candidate), world)
  if (out !== undefined) return yield* nothingTried(out, checks)
  for (const [at, check] of checks.entries()) {
    const place = `${check.claim} (${at + 1} of ${checks.length})`
    yield await withProgress(place, () => resultOf(check, candidate), world)
  }
}

function nothingTried({ isVerdict, why }: ShutOut, checks: readonly Check[]): readonly Result[] {
  const { claim, source } = credentialsCheck
  const others = checks.filter((check) => check !== credentialsCheck)
  return [
    { claim, source, ...(isVerdict ? WRONG : UNANSWERED), detail: asTyped(why) },
    ...others.map((check): Result => ({ claim: check.claim, source: check.source, verdict: 'not tried' })),
  ]
}

const WRONG = { verdict: 'wrong' } as const
const UNANSWERED = { verdict: 'not tried', unanswered: true } as const

/** As long as somebody waits without a doubt. */
const LONG_MS = 5_000

/** Says what takes long, beside the results: the reader of a log or of JSON sees no cursor. */
async function withProgress<Done>(what: string, work: () => Promise<Done>, { schedule, warn }: World): Promise<Done> {
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
  } catch (thrown) {
    const error = isPaymentError(thrown) ? judged(thrown) : thrown
    if (error instanceof Unanswered) return { claim, source, ...UNANSWERED, detail: asTyped(error.message) }
    if (error instanceof NotTried) return { claim, source, verdict: 'not tried', detail: asTyped(error.message) }
    if (error instanceof Finding) return { claim, source, verdict: 'wrong', detail: asTyped(error.message) }
    throw error
  }
}

/** An error of the client that a check did not expect. */
function judged(error: PaymentError): Finding | Unanswered {
  return pageIn('a request', error) ?? new Finding(error.message)
}

const COLUMN = 'not tried  '.length

/** None for what was not tried because nothing was: the reason would be lost among these lines. */
export function linesOf({ verdict, claim, source, detail }: Result, columns: number | undefined): string {
  if (verdict === 'not tried' && detail === undefined) return ''
  const line = `${wrappedBehind(verdict, `${claim} (${source})`, COLUMN, columns)}\n`
  if (detail === undefined) return line
  const inOneLine = detail
    .split('\n')
    .map((each) => each.trim())
    .join(' ')
  return `${line}${wrapped(inOneLine, COLUMN, columns)}\n`
}

export function sumOf(results: readonly Result[]): string {
  const countOf = (wanted: Result['verdict']) => results.filter(({ verdict }) => verdict === wanted).length
  return `${countOf('right')} right, ${countOf('wrong')} wrong, ${countOf('not tried')} not tried`
}

interface ShutOut {
  /** Whether the gateway itself says so. If not, nothing is known about it. */
  readonly isVerdict: boolean
  readonly why: string
}

/**
 * Why nothing can be tried, or `undefined`: the gateway refuses the key, nobody answers, or there is no gateway at this address.
 * Every check would only find that once more, and would blame or praise the gateway for it: who refuses everything refuses what
 * is wrong too.
 */
async function shutOut({ client }: Candidate): Promise<ShutOut | undefined> {
  const check = await client.checkCredentials()
  if (check.credentials === 'right') return undefined
  const { error } = check
  // A gateway that says something else about an order that cannot exist has heard the question: its checks say the rest.
  const hasAnswered = error === undefined || (error.code === 'REJECTED' && !isNowhere(error))
  if (hasAnswered) return undefined
  const page = pageIn('the status of an order that cannot exist', error)
  const why = `${page?.message ?? check.remedy}${hintFor(check.remedy)}`
  return { isVerdict: page === undefined && !isNobody(error), why }
}

/** Whether nobody has answered: nothing listens there, or the way to it is closed. */
function isNobody(error: PaymentError): boolean {
  return error.code === 'NOT_SENT' || (error.code === 'NO_REPLY' && error.httpStatus === undefined)
}

const HINTS: ReadonlyArray<readonly [sign: RegExp, hint: string]> = [
  [
    /CERT|UNABLE_TO_/,
    'A certificate that no usual authority signed is trusted if the variable NODE_EXTRA_CA_CERTS names its file.',
  ],
  [/HTTP 40[06] /, 'A gateway without JSON replies needs --profile with { "replyFormat": "classic" }.'],
]

/** What to do at the command line, which the client does not know. */
function hintFor(remedy: string): string {
  const hint = HINTS.find(([sign]) => sign.test(remedy))?.[1]
  return hint === undefined ? '' : ` ${hint}`
}
