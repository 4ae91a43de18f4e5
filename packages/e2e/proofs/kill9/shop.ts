import { setTimeout as pause } from 'node:timers/promises'
import type { OperationResult, PaymentClient } from '@tallystick/client'
import { RejectedError, type ReplyValues, type RequestInput } from '@tallystick/core'
import { atOnce, type Random } from '@tallystick/proof-kit'
import { saleInput } from '@tallystick/testing'

/** An operation that opens an order, as the shop asked for it: it can send the very same request again. */
type Opening =
  | { readonly key: 'sale' | 'preauth'; readonly input: RequestInput<'sale'> }
  | { readonly key: 'payout' | 'payoutCheck'; readonly input: RequestInput<'payout'> }

/** What the shop knows about an order that it asked for. */
interface Known {
  readonly opening: Opening
  /** Known once an acknowledgement was received or a status named it. */
  orderId: string | undefined
  /** An acknowledgement was received: from then on the order must never be lost. */
  isAcknowledged: boolean
  /** The serial numbers of acknowledged operations on it that were not checked yet. */
  readonly serialNumbers: string[]
  /** The number of the process that was last sent something about it. */
  touchedIn: number
  /** Whether its status is still to be checked. */
  isOpen: boolean
}

export type Book = ReturnType<typeof emptyBook>

export function emptyBook() {
  return {
    orders: new Map<string, Known>(),
    /** The orders that can be captured, returned or paid. Most requests are about the last of them. */
    modifiable: [] as Known[],
    findings: [] as string[],
    acknowledgements: 0,
  }
}

/** A shop that is busy with one process of the gateway. */
export interface Shop {
  readonly book: Book
  readonly random: Random
  readonly client: PaymentClient
  readonly process: number
  readonly callbackAddress: () => string
}

const CONNECTIONS = 24
/** Most requests are about one of this many last orders. */
const RECENT = 60

/** Sends random requests over many connections at once, until the process is dead. */
export async function trade(shop: Shop, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver()) await actOnce(shop)
    }),
  )
}

async function actOnce(shop: Shop): Promise<void> {
  const { random, book } = shop
  const dice = random.below(100)
  if (dice < 50 || book.modifiable.length === 0) return await open(newOpening(shop), shop)
  const known = random.pick(book.modifiable.slice(random.below(10) === 0 ? 0 : -RECENT))
  if (dice < 62) return await open(known.opening, shop)
  await modify(known, shop)
}

function newOpening({ random, book, callbackAddress }: Shop): Opening {
  const clientOrderId = `k${book.orders.size}${random.text(8, 'abcdefghijklmnop')}`
  const amount = `${1 + random.below(90)}.${random.digits(2)}`
  const notifyUrl = random.below(3) > 0 ? { notifyUrl: callbackAddress() } : {}
  const key = random.pick(['sale', 'sale', 'sale', 'preauth', 'preauth', 'payout', 'payoutCheck'] as const)
  if (key === 'sale' || key === 'preauth') return { key, input: saleInput({ clientOrderId, amount, ...notifyUrl }) }
  return { key, input: { clientOrderId, amount, currency: 'USD', receiverPhone: '+79001234567', ...notifyUrl } }
}

/** Asks for an order, for the first time or again. */
async function open(opening: Opening, shop: Shop): Promise<void> {
  const known = note(opening, shop)
  const result = await send(opening, shop.client)
  if (result.outcome === 'unknown' || result.outcome === 'notSent') return
  if (result.outcome === 'rejected') {
    shop.book.findings.push(`${known.opening.input.clientOrderId}: ${opening.key} was refused: ${result.error.message}`)
    return
  }
  const { orderId } = result.reply
  if (known.orderId !== undefined && known.orderId !== orderId) {
    shop.book.findings.push(`${opening.input.clientOrderId}: acknowledged as ${known.orderId} and as ${orderId}`)
  }
  if (!known.isAcknowledged) shop.book.modifiable.push(known)
  known.orderId = orderId
  known.isAcknowledged = true
  shop.book.acknowledgements++
}

async function send({ key, input }: Opening, client: PaymentClient): Promise<OperationResult<Opening['key']>> {
  return await (key === 'sale' || key === 'preauth' ? client[key](input) : client[key](input))
}

/** Notes an order before its request is sent, so that its status is checked in any case. */
function note(opening: Opening, { book, process }: Shop): Known {
  const { clientOrderId } = opening.input
  const known = book.orders.get(clientOrderId) ?? {
    opening,
    orderId: undefined,
    isAcknowledged: false,
    serialNumbers: [],
    touchedIn: process,
    isOpen: true,
  }
  book.orders.set(clientOrderId, known)
  return touch(known, process)
}

function touch(known: Known, process: number): Known {
  known.touchedIn = process
  known.isOpen = true
  return known
}

/** Captures, returns or pays. The rules may refuse it, since the shop does not keep track of what is allowed. */
async function modify(known: Known, shop: Shop): Promise<void> {
  touch(known, shop.process)
  const result = await sendChange(known, shop)
  if (result.outcome !== 'accepted') return
  known.serialNumbers.push(result.reply.serialNumber ?? '')
  shop.book.acknowledgements++
}

async function sendChange({ opening, orderId = '' }: Known, { random, client }: Shop) {
  const ids = { clientOrderId: opening.input.clientOrderId, orderId }
  if (opening.key === 'payoutCheck') return await client.payoutPay(ids)
  const part = random.below(2) === 0 ? { amount: `0.${random.digits(2)}`, currency: 'USD' } : {}
  if (opening.key === 'preauth' && random.below(3) > 0) return await client.capture({ ...ids, ...part })
  if (random.below(4) === 0) return await client.void(ids)
  return await client.return({ ...ids, ...part, comment: 'k' })
}

const AT_ONCE = 16
/** An outcome that is not there this long after a start is missing. */
const WITHIN_MS = 10_000
const AGAIN_AFTER_MS = 10

/**
 * Checks the status of every order about which an earlier process was sent something: what was acknowledged must exist and have
 * an outcome. An order that the status does not know must never appear later.
 */
export async function askForOpen(shop: Shop, isOver: () => boolean): Promise<void> {
  const open = [...shop.book.orders.values()].filter((known) => known.isOpen && known.touchedIn < shop.process)
  await atOnce(AT_ONCE, open, async (known) => {
    if (!isOver()) await askFor(known, shop)
  })
}

async function askFor(known: Known, shop: Shop): Promise<void> {
  const { client, book, process } = shop
  const { clientOrderId } = known.opening.input
  const serialNumbers = known.serialNumbers.splice(0)
  try {
    for (const byRequestSn of [undefined, ...serialNumbers]) {
      const told = await outcomeOf({ clientOrderId, byRequestSn }, client, () => known.touchedIn >= process)
      if (known.orderId !== undefined && told.orderId !== known.orderId) {
        book.findings.push(`${clientOrderId}: acknowledged as ${known.orderId}, and status says ${told.orderId}`)
      }
      known.orderId = told.orderId
      if (!isFinal(told) && known.touchedIn < process) {
        book.findings.push(`${clientOrderId}: ${told.status} ${WITHIN_MS} ms after a start`)
      }
    }
    if (known.touchedIn < process) known.isOpen = false
  } catch (error) {
    if (error instanceof RejectedError) notThere(known, error, shop)
    // No answer: the process is dead, and the status is checked at the next one.
    else known.serialNumbers.push(...serialNumbers)
  }
}

function notThere(known: Known, { message }: RejectedError, { book, process }: Shop): void {
  const { clientOrderId } = known.opening.input
  if (known.isAcknowledged) book.findings.push(`${clientOrderId}: was acknowledged, and status says ${message}`)
  // Unless it was sent again meanwhile, it will never exist.
  if (known.touchedIn < process) known.isOpen = false
}

/** An order about which something new was sent meanwhile is checked again after the next start. */
async function outcomeOf(names: RequestInput<'status'>, client: PaymentClient, isBusy: () => boolean) {
  const until = performance.now() + WITHIN_MS
  for (;;) {
    const told = await client.status(names)
    if (isFinal(told) || isBusy() || performance.now() > until) return told
    await pause(AGAIN_AFTER_MS)
  }
}

/** Whether there is an outcome. For a payout that was only checked it is that of the check. */
function isFinal({ status, orderStage }: ReplyValues<'status'>): boolean {
  return (status !== 'processing' && status !== 'unknown') || orderStage === 'payout_checked'
}
