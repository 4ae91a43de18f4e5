import { type PaymentClient, type PaymentClientOptions, rawReplyOf, type Transport } from '@tallystick/client'
import type { PaymentError, Profile, ReplyValues } from '@tallystick/core'
import type { CallbackListener, ClientClock, World } from '../../world.ts'
import type { CallbackPlace, CertifyCards } from './options.ts'

/** One thing that a client relies on. */
export interface Check {
  /** What the gateway does if it is right, as the end of a sentence: "refuses a wrong control, and creates nothing". */
  readonly claim: string
  /** Where the interface says so. */
  readonly source: string
  /** @throws Finding if the gateway does otherwise, or NotTried */
  readonly run: (candidate: Candidate) => Promise<void>
}

/** The gateway under test, and what is known about it. */
export interface Candidate extends CertifyCards {
  /** Signs as it should. */
  readonly client: PaymentClient
  /** A client whose requests are changed on their way, or that differs in another option. Closed when it was used. */
  readonly otherwise: <Result>(changes: Changes, use: (client: PaymentClient) => Promise<Result>) => Promise<Result>
  readonly login: string
  readonly controlKey: string
  /** As the client has it. */
  readonly profile: Profile
  /** Whether its clients can sign by RSA. */
  readonly hasPrivateKey: boolean
  readonly transport: () => Transport
  /** In major units. */
  readonly amount: string
  readonly currency: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** As of the client's clock. */
  readonly schedule: ClientClock['schedule']
  /** Opens a page. */
  readonly send: World['send']
  /** Where the gateway can reach this machine, if it can, and what comes from there. */
  readonly callbacks: (Omit<CallbackListener, 'close'> & Pick<CallbackPlace, 'url'>) | undefined
  /** What checks need and an earlier one did not get: each would try as long, and find the same. */
  readonly missing: Set<string>
  /** How long an outcome may take. */
  readonly deadlineMs: number
}

/** How a client differs from one that is right. */
export type Changes = Partial<Pick<PaymentClientOptions, 'transport' | 'nonce' | 'clock' | 'readAttempts'>>

/** The gateway does otherwise. The message says what it does. */
export class Finding extends Error {
  override readonly name = 'Finding'
}

/** Something that the check needs is not there. The message says what. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

/** Nobody of the gateway has answered. That counts neither against it nor for it, but nothing was found right either. */
export class Unanswered extends NotTried {}

/**
 * A page says nothing about the gateway: that of a proxy, of a firewall, or of the network that wants a login first.
 *
 * @throws Unanswered if that is what came
 */
export function requireReply(what: string, error: PaymentError | undefined, otherwise = ''): void {
  const unanswered = error && pageIn(what, error, otherwise)
  if (unanswered !== undefined) throw unanswered
}

/** `undefined`: what came, if anything, is no such page. */
export function pageIn(what: string, error: PaymentError, otherwise = ''): Unanswered | undefined {
  return isPage(error) ? new Unanswered(`${what}: ${shownPage(error)}. ${ANOTHER}${otherwise}`) : undefined
}

type ExchangeError = Extract<PaymentError, { readonly isPage: boolean }>

/** Whether something answered that is no reply of the interface. */
export function isPage(error: PaymentError): error is ExchangeError {
  return 'isPage' in error && error.isPage
}

const ANOTHER =
  'A proxy, a firewall or the page of a network has answered, not the gateway: ask who runs it whether it lets this machine ' +
  'and its User-Agent through, or see whether --base-url leads elsewhere.'

/** What was seen, with the title of the page: it often says whose it is. */
function shownPage(error: ExchangeError): string {
  const [, title = ''] = /<title>([^<]{1,200})/i.exec(rawReplyOf(error)?.body ?? '') ?? []
  const shown = title.replace(/[\p{C}\s]+/gu, ' ').trim()
  return shown === '' ? error.seen : `${error.seen}, but a page with the title "${shown}"`
}

/**
 * Gets something that several checks need. None tries again what another one tried in vain.
 *
 * @throws NotTried if an earlier check got none, and whatever `get` throws
 */
export async function neededByMany<Got>(what: string, { missing }: Candidate, get: () => Promise<Got>): Promise<Got> {
  if (missing.has(what)) throw new NotTried(`it needs an ${what}, and an earlier check got none`)
  try {
    return await get()
  } catch (error) {
    if (!(error instanceof NotTried) || error instanceof Unanswered) missing.add(what)
    throw error
  }
}

/** @throws Finding */
export function claim(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Finding(otherwise)
}

export type Status = ReplyValues<'status'>

/** Not found, no POST there, not implemented. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 501])

/** Whether the gateway has nothing at the address of the request. */
export function isNowhere(error: PaymentError): boolean {
  return 'httpStatus' in error && NOWHERE.has(error.httpStatus)
}
