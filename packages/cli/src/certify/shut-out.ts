import type { PaymentError } from '@tallystick/core'
import { type Candidate, pageIn } from './check.ts'

export interface ShutOut {
  /** Whether the gateway itself says so. If not, nothing is known about it. */
  readonly isVerdict: boolean
  readonly why: string
}

/**
 * Why nothing can be tried, or `undefined`: the gateway refuses the key, nobody answers, or there is no gateway at this address.
 * Every check would only find that once more, and would blame or praise the gateway for it: who refuses everything refuses what
 * is wrong too.
 */
export async function shutOut({ client }: Candidate): Promise<ShutOut | undefined> {
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

/** Not found, no POST there, not implemented. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 501])

/** Whether the gateway has nothing at the address of the request. */
export function isNowhere(error: PaymentError): boolean {
  return 'httpStatus' in error && NOWHERE.has(error.httpStatus)
}
