import type { OperationResult, PaymentClient } from '@tallystick/client'
import type { OperationKey, RequestInput } from '@tallystick/core'
import type { Random } from '@tallystick/proof-kit'
import { saleInput } from '@tallystick/testing'
import type { Book, Known, Opening } from './book.ts'

/** A shop that is busy with one process of the gateway. */
export interface Shop {
  readonly book: Book
  readonly random: Random
  readonly client: PaymentClient
  /** The number of the process. */
  readonly process: number
  /** The address for its callbacks. */
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
async function modify(known: Known, { random, client, book, process }: Shop): Promise<void> {
  const { opening, orderId = '' } = known
  const { clientOrderId } = opening.input
  const ids = { clientOrderId, orderId }
  const part = { amount: `0.${random.digits(2)}`, currency: 'USD' }
  touch(known, process)
  const result = await requestFor(opening.key, { ids, part, random, client })
  if (result.outcome !== 'accepted') return
  known.serialNumbers.push(result.reply.serialNumber ?? '')
  book.acknowledgements++
}

interface Asking {
  readonly ids: RequestInput<'void'>
  readonly part: { readonly amount: string; readonly currency: string }
  readonly random: Random
  readonly client: PaymentClient
}

type Modification = Extract<OperationKey, 'capture' | 'void' | 'return' | 'payoutPay'>

async function requestFor(
  key: Opening['key'],
  { ids, part, random, client }: Asking,
): Promise<OperationResult<Modification>> {
  if (key === 'payoutCheck') return await client.payoutPay(ids)
  const isPartial = random.below(2) === 0
  if (key === 'preauth' && random.below(3) > 0) return await client.capture(isPartial ? { ...ids, ...part } : ids)
  if (random.below(4) === 0) return await client.void(ids)
  return await client.return(isPartial ? { ...ids, ...part, comment: 'k' } : { ...ids, comment: 'k' })
}
