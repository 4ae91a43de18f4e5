import { redact } from '@tallystick/core'
import { maskSent, STATUSES } from '@tallystick/core/internal'
import type { Decision, OperationRequest } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import type {
  AuthenticationRequest,
  AuthenticationStep,
  BankReferences,
  OperationOutcome,
  StoredOperation,
  StoredOrder,
} from '../orders/order.ts'
import { referencesOf } from '../orders/shown-order.ts'

/**
 * An operation that the acquirer is asked about. The answer may take minutes, and the merchant has theirs by then: until it comes,
 * nothing that the request or the order says of the payer is held in memory for it.
 */
export interface AskedOperation {
  readonly orderId: string
  /** The order as it was written, while something else holds it. */
  readonly written: WeakRef<StoredOrder>
  readonly operation: StoredOperation
  /** What the acquirer is told of the operation. */
  readonly request: OperationRequest
  readonly cards: ReadonlyArray<{ readonly cardId?: string | undefined; readonly bin?: string | undefined }>
  /** Whether a customer can be asked to authenticate: pages and statuses show only steps of the operation that opens an order. */
  readonly hasCustomer: boolean
}

/**
 * What the acquirer decides. A call that fails, or whose answer is not a decision about the operation, may have done anything:
 * it is reported, and the outcome is unknown.
 */
export async function decisionOf(
  answer: Promise<Decision>,
  asked: AskedOperation,
  service: Pick<Service, 'onError' | 'store' | 'vault'>,
): Promise<Decision> {
  const { operation, hasCustomer } = asked
  try {
    const decision: Partial<Decision> | undefined = await answer
    if (!isDecision(decision)) {
      throw new TypeError(`The acquirer has answered with no decision: its status is ${wordsOf(decision?.status)}`)
    }
    if (decision.status === 'processing' && !hasCustomer) throw new TypeError(noCustomer(operation))
    return await withoutCard(decision, asked, service)
  } catch (error) {
    service.onError(error, operation.serialNumber)
    return { status: 'unknown' }
  }
}

/** As many as a card number has. */
const FEWEST_DIGITS = 12
/** What may stand for another digit, or hold digits that a page does not show. */
const SPELLED = /[%&<\\]|[^ -~]/

/**
 * The decision with texts that do not quote the card, however the bank spells it. If the card cannot be read, only what looks like
 * one is left out of the message, as everywhere: the decision counts.
 */
async function withoutCard(
  decision: Decision,
  { cards, request: { login } }: AskedOperation,
  { store, vault }: Pick<Service, 'store' | 'vault'>,
): Promise<Decision> {
  if (decision.status === 'processing') return decision
  const said = decision as Readonly<Record<string, unknown>>
  const texts = Object.keys(decision).flatMap((name): [string, string][] => {
    const text = said[name]
    return typeof text === 'string' && mayQuote(text, cards) ? [[name, text]] : []
  })
  if (texts.length === 0) return decision
  try {
    const ids = cards.flatMap(({ cardId }) => cardId ?? [])
    const sealed = await Promise.all(ids.map((id) => store.card(id)))
    const pans = sealed.flatMap((each) => (each === undefined ? [] : [vault.open(each, login)]))
    return { ...decision, ...Object.fromEntries(texts.map(([name, text]) => [name, maskSent(text, pans)])) }
  } catch {
    return decision
  }
}

/** Most texts do not, and the card need not be read. */
function mayQuote(text: string, cards: AskedOperation['cards']): boolean {
  const digits = text.normalize('NFKC').replaceAll(/\P{N}/gu, '')
  if (digits.length < FEWEST_DIGITS) return false
  return SPELLED.test(text) || cards.some(({ bin }) => bin !== undefined && digits.includes(bin))
}

/** An acquirer in plain JavaScript may return anything. */
function isDecision(given: Partial<Decision> | undefined): given is Decision {
  if (!STATUSES.some((status) => status === given?.status)) return false
  return given?.status !== 'processing' || isStep(given.awaits)
}

const TEXTS_OF_STEP: Readonly<Record<AuthenticationStep, readonly string[]>> = {
  method: ['threeDsServerTransId'],
  challenge: ['acsUrl', 'creq', 'threeDsSessionData'],
  pareq: ['acsUrl', 'paReq', 'md'],
}

/** Otherwise neither a page nor a status could show what the customer has to do. A method step may lack a URL. */
function isStep(awaits: unknown): boolean {
  const { step, methodUrl = '', ...texts }: Readonly<Record<string, unknown>> = { ...Object(awaits) }
  const names = Object.entries(TEXTS_OF_STEP).find(([name]) => name === step)?.[1]
  return typeof methodUrl === 'string' && names?.every((name) => typeof texts[name] === 'string') === true
}

function wordsOf(status: Decision['status'] | undefined): string {
  return status === 'processing' ? `${status}, and what it awaits is no step of 3DS` : String(status)
}

function noCustomer({ id, kind }: StoredOperation): string {
  const awaited = `The acquirer awaits a step of 3DS for the ${kind} ${id}, which nobody can take`
  return `${awaited}: only what opens an order can await one, and only if tokenize said that the customer authenticates`
}

export function storedOutcome(decision: Decision): OperationOutcome {
  switch (decision.status) {
    case 'approved': {
      const { verified3dStatus } = decision
      return {
        ...references(decision),
        verified3dStatus: verified3dStatus === 'AUTHENTICATED' ? verified3dStatus : undefined,
      }
    }
    case 'declined':
    case 'filtered':
    case 'error': {
      const { errorCode, errorMessage } = decision
      return { errorCode: code(errorCode), errorMessage: shownMessage(errorMessage), ...references(decision) }
    }
    case 'processing':
      return { awaits: stepOf(decision.awaits) }
    case 'unknown':
      return {}
  }
}

/**
 * Only the fields of the step: what an acquirer returns may be all that its bank said, with the card in it, or with something
 * that no store can write.
 */
function stepOf(awaits: AuthenticationRequest): AuthenticationRequest {
  switch (awaits.step) {
    case 'method': {
      const { step, methodUrl, threeDsServerTransId } = awaits
      return { step, methodUrl, threeDsServerTransId }
    }
    case 'challenge': {
      const { step, acsUrl, creq, threeDsSessionData } = awaits
      return { step, acsUrl, creq, threeDsSessionData }
    }
    case 'pareq': {
      const { step, acsUrl, paReq, md } = awaits
      return { step, acsUrl, paReq, md }
    }
  }
}

/** Shown if there is one (gaps part 4). Plain JavaScript may return anything, even what no store can write. */
function references(decision: BankReferences): BankReferences {
  const given: Readonly<Record<string, unknown>> = { ...referencesOf(decision) }
  const stored: Record<string, string> = {}
  for (const name of Object.keys(given)) {
    const text = code(given[name])
    if (text) stored[name] = text
  }
  return { ...stored, processedAt: instant(given['processedAt']) }
}

/** Milliseconds that a calendar can show. A `Date` is meant well. */
function instant(given: unknown): number | undefined {
  const at = given instanceof Date ? given.getTime() : given
  return typeof at === 'number' && Math.abs(at) <= 8.64e15 ? Math.floor(at) : undefined
}

/** In characters. Encoded, each may take nine of the 8,000 bytes of an address. */
const LONGEST = 500

/** The acquirer's message, safe to store and show: it may quote the card, or be a whole page. */
export function shownMessage(words: unknown): string | undefined {
  return inAddresses(typeof words === 'string' ? redact(words) : undefined)
}

/** A code or an id, which plain JavaScript may return as a number. */
function code(given: unknown): string | undefined {
  return inAddresses(typeof given === 'number' ? String(given) : given)
}

/**
 * A text of the acquirer that can be stored and fits the address of a callback. Cut in the middle of a character, it is
 * made well-formed. Plain JavaScript may return nothing, or something that is not a text.
 */
function inAddresses(text: unknown): string | undefined {
  return typeof text === 'string' ? text.slice(0, LONGEST).toWellFormed() : undefined
}
