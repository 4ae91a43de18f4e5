import { maskCardNumbers } from '@tallystick/core'
import type { Called } from '../options.ts'
import type { Delivery } from '../store/delivery.ts'

/** The report of a delivery that was sent, or is over. */
export function calledBack(delivery: Delivery, serialNumber: string | undefined): Called {
  const { orderId, lastAnswer = '', state, made, dueAt } = delivery
  return { serialNumber, orderId, address: shownAddress(delivery), answer: lastAnswer, state, made, dueAt }
}

/** Where a callback goes, without its query. The merchant wrote the address: it may contain a card number, even an encoded one. */
export function shownAddress({ url }: Delivery): string {
  const address = url.replace(/[?#].*/s, '')
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

/** The host that a callback goes to, with its port. */
export function shownHost({ url }: Delivery): string {
  return maskCardNumbers(URL.parse(url)?.host ?? '')
}
