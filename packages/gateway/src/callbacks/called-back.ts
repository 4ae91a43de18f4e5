import { maskCardNumbers } from '@tallystick/core'
import type { Called } from '../options.ts'
import type { Delivery } from './delivery.ts'

/** The report of a delivery that was sent, or is over. */
export function calledBack(delivery: Delivery, serialNumber: string | undefined): Called {
  const { orderId, url, lastAnswer = '', state, made, dueAt } = delivery
  return { serialNumber, orderId, address: shown(url.replace(/[?#].*/s, '')), answer: lastAnswer, state, made, dueAt }
}

/** The merchant wrote the address: it may contain a card number, even an encoded one. */
function shown(address: string): string {
  const text = decoded(address)
  const masked = maskCardNumbers(text)
  return masked === text ? address : encodeURI(masked)
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
