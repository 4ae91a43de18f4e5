import { maskCardNumbers } from '@tallystick/core'
import type { Called } from '../options.ts'
import type { Delivery } from './delivery.ts'

/** What is told of a delivery that was sent. The address is the merchant's own text. */
export function calledBack({ orderId, url, lastAnswer = '', state, made, dueAt }: Delivery): Called {
  return { orderId, address: maskCardNumbers(url.replace(/[?#].*/s, '')), answer: lastAnswer, state, made, dueAt }
}
