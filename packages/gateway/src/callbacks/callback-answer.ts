/** What matters of a merchant's answer. */
export interface CallbackAnswer {
  readonly status: number
  /** The header, as it came. */
  readonly retryAfter?: string | undefined
}

/**
 * Calls an address by GET and follows no redirect. Throws if there was no answer: the error's `code` says why. The gateway
 * stores nothing else of the error.
 */
export type SendCallback = (url: string) => Promise<CallbackAnswer>

/** There was no answer. `reason` says why in a few words. */
export interface NoAnswer {
  readonly reason: string
}

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** Why there was no answer. Never the error's message: it may hold the address, with the payer's name in it. */
export function noAnswer(error: unknown): NoAnswer {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ADDRESS_NOT_ALLOWED') return { reason: 'address not allowed' }
  if (typeof code !== 'string' || !CODE.test(code)) return { reason: 'no answer' }
  const hint = HINTS.find(([codes]) => codes.test(code))?.[1]
  return { reason: hint === undefined ? code : `${code}: ${hint}` }
}

/** What is wrong with a certificate, and who can mend it. */
const HINTS = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    "no authority that Node knows has signed the shop's certificate; the shop sends an incomplete chain, or NODE_EXTRA_CA_CERTS has to name the file of its authority",
  ],
  [/CERT_HAS_EXPIRED/, "the shop's certificate has expired, or the clock of this machine is wrong"],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, "the shop's certificate is of another host name"],
] as const

/** This machine has no file, memory, port or name server left: it says nothing about the host, and is no attempt. */
const OWN_FAILURES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'NO_NAME_SERVER',
])

export function isOwnFailure(answer: CallbackAnswer | NoAnswer): boolean {
  return 'reason' in answer && OWN_FAILURES.has(answer.reason)
}

/** No connection came about. A time-out is not among these: the path that a merchant named may be what is slow. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
])

export function isUnreachable({ reason }: NoAnswer): boolean {
  return UNREACHABLE.has(reason)
}
