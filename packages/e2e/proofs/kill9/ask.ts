import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentClient } from '@tallystick/client'
import { RejectedError, type ReplyValues, type RequestInput } from '@tallystick/core'
import type { Known } from './book.ts'
import type { Shop } from './trade.ts'

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
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let known = open.pop(); known !== undefined && !isOver(); known = open.pop()) await askFor(known, shop)
    }),
  )
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
