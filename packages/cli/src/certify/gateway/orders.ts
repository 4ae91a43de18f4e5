import type { Accepted, OperationResult } from '@tallystick/client'
import {
  isPaymentError,
  type OperationKey,
  type PaymentError,
  type RequestInput,
  redact,
  toMinorUnits,
} from '@tallystick/core'
import {
  type Candidate,
  claim,
  Finding,
  NotTried,
  neededByMany,
  requireReply,
  type Status,
  Unanswered,
} from './check.ts'
import type { CallbackPlace } from './options.ts'

/** A payer who does not exist. Addresses and names are those that documentation may use. */
export const PAYER = {
  orderDesc: 'Certification',
  firstName: 'John',
  lastName: 'Smith',
  address1: '100 Main Street',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@example.com',
  customerIp: '192.0.2.1',
} as const

/** What a payment is made of. */
export type Payer = Pick<Candidate, 'client' | 'card' | 'amount' | 'currency'> & {
  readonly callbacks: Pick<CallbackPlace, 'url'> | undefined
}

/** A direct payment under a new client order id. */
export function payment({ client, card, amount, currency, callbacks }: Payer): RequestInput<'sale'> {
  const called = callbacks === undefined ? {} : { serverCallbackUrl: callbacks.url }
  return { clientOrderId: client.newClientOrderId(), ...PAYER, amount, currency, ...card, ...called }
}

/** A part of it: one unit, with the decimals of the amount. */
export function part({ amount }: Pick<Candidate, 'amount'>): string {
  return amount.replace(/^\d+/, '1').replace(/\.(\d+)/, (_, decimals: string) => `.${'0'.repeat(decimals.length)}`)
}

/** Another amount with as many digits. */
export function another(amount: string): string {
  return amount.replace(/^\d/, (digit) => `${(Number(digit) % 9) + 1}`)
}

/** Where nobody waits for the customer. */
export const RETURN_URL = 'https://shop.example/return'

/** A payment on the gateway's page. */
export function formPayment({ client, amount, currency }: Candidate): RequestInput<'saleForm'> {
  return { clientOrderId: client.newClientOrderId(), ...PAYER, amount, currency, redirectUrl: RETURN_URL }
}

/** What a proxy, a firewall or a network answers with on its own: this page is opened without --proxy. */
const OF_ANOTHER: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504, 511])

/** Opens what a customer's browser is sent to. @throws Finding if there is no page. Unanswered if it may be another's */
export async function openedPage(url: string, { send }: Candidate): Promise<void> {
  const page = await send({ method: 'GET', url })
  if ('failure' in page) throw new Finding(`nothing answers at ${url}: ${page.failure}`)
  if (OF_ANOTHER.has(page.status))
    throw new Unanswered(`${url} answers with ${page.status}: that may be a proxy or a firewall, and not the gateway`)
  claim(page.status < 400, `${url} answers with ${page.status}`)
}

export interface KnownOrder {
  readonly clientOrderId: string
  readonly orderId: string
}

/** @throws Finding if it was not accepted */
export function accepted<K extends OperationKey>(what: string, result: OperationResult<K>): Accepted<K>['reply'] {
  if (result.outcome === 'accepted') return result.reply
  requireReply(what, result.error)
  throw new Finding(`${what} was answered with ${result.outcome}: ${result.error.message}`)
}

/** What came of a request. */
export interface Answered {
  readonly outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  readonly error: PaymentError | undefined
}

/**
 * That a page refuses it is enough only if the gateway said afterwards that there is no such order: its own body of a 401 or 403
 * is not specified.
 *
 * @throws Finding if it was accepted, or nobody knows
 */
export function refused(what: string, result: Answered): void {
  if (result.outcome === 'rejected') return
  requireReply(what, result.error)
  const why = result.error === undefined ? '' : `: ${result.error.message}`
  throw new Finding(`${what} was not refused, but ${result.outcome}${why}`)
}

/**
 * Who refuses what is right, for its currency, say, may not have looked at what is wrong with another request.
 *
 * @throws NotTried if it was not accepted
 */
export function acceptedToo<K extends OperationKey>(what: string, result: OperationResult<K>): void {
  if (result.outcome === 'accepted') return
  requireReply(what, result.error)
  throw new NotTried(`${what} that is right was answered with ${result.outcome} too: ${result.error.message}`)
}

/**
 * Makes a sale or a hold, and waits until it is approved.
 *
 * @throws Finding if it is not. NotTried if one was not before
 */
export async function approved(key: 'sale' | 'preauth', candidate: Candidate): Promise<KnownOrder> {
  return await neededByMany(`approved ${key}`, candidate, async () => {
    const input = payment(candidate)
    const reply = accepted(`the ${key}`, await candidate.client[key](input))
    const order = { clientOrderId: input.clientOrderId, orderId: idIn(reply) }
    await decided(`the ${key}`, order, candidate)
    return order
  })
}

/** @throws Finding if the acknowledgement has no id of the gateway */
export function idIn(reply: { readonly orderId?: string | undefined }): string {
  claim(reply.orderId !== undefined && reply.orderId !== '', 'the acknowledgement has no paynet-order-id')
  return reply.orderId
}

/** Waits for the outcome of a request, by its serial number if there is one. @throws Finding if it is not the wanted one */
export async function decided(
  what: string,
  order: Pick<KnownOrder, 'clientOrderId'> & {
    readonly orderId?: string | undefined
    readonly serialNumber?: string | undefined
  },
  { client, deadlineMs }: Candidate,
  wanted: 'approved' | 'declined' = 'approved',
): Promise<Status> {
  const outcome = await client.waitForOutcome(order, { deadlineMs })
  if (outcome.outcome === wanted) return outcome.reply
  if (outcome.outcome === 'undecided') requireReply(`the status of ${what}`, outcome.lastPoll?.error)
  const why = outcome.outcome === 'undecided' ? lastSeen(outcome.lastPoll?.reply) : reasonIn(outcome.reply)
  throw new Finding(`${what} was to be ${wanted} within ${deadlineMs / 1000} s, and is ${outcome.outcome}${why}`)
}

function lastSeen(status: Status | undefined): string {
  return status === undefined ? '' : `, its status is ${status.status}${asksTheCustomer(status)}`
}

/** What the gateway says of a payment that came to nothing. Its words may quote the request. */
function reasonIn({ status, errorCode, errorMessage }: Status): string {
  if (status === 'approved') return ''
  if (errorCode === undefined && errorMessage === undefined) return ', without a code or a message'
  const code = errorCode === undefined ? '' : ` (code ${errorCode})`
  return redact(`: ${errorMessage ?? 'without a message'}${code}`)
}

/** A customer who confirms the payment is the one thing that cannot be played here. */
function asksTheCustomer({ html, redirectTo }: Status): string {
  const asks = html !== undefined || redirectTo !== undefined
  return asks ? ': it asks for 3-D Secure, so give another card, or an --endpoint without it' : ''
}

/** No currency has more. */
const MOST_DECIMALS = 4

/** Whether a status shows this amount, with however many decimals: 10 and 10.00 are one amount. */
export function showsAmount(status: Status | undefined, amount: string): status is Status {
  return status?.amount !== undefined && plain(status.amount) === plain(amount)
}

function plain(amount: string): string | undefined {
  return toMinorUnits(amount, MOST_DECIMALS)
}

/** The status of an order, or `undefined` if the gateway says that there is none. */
export async function statusOf(
  order: Partial<KnownOrder> & Pick<KnownOrder, 'clientOrderId'>,
  { client }: Candidate,
): Promise<Status | undefined> {
  try {
    return await client.status(order)
  } catch (error) {
    if (!isPaymentError(error)) throw error
    if (error.code === 'REJECTED') return undefined
    requireReply('the status', error)
    throw new Finding(`the status was not given: ${error.message}`)
  }
}

/** @throws Finding if there is an order */
export async function nothingCreated(clientOrderId: string, candidate: Candidate): Promise<void> {
  const status = await statusOf({ clientOrderId }, candidate)
  claim(status === undefined, `an order ${clientOrderId} was created all the same: ${status?.status}`)
}
