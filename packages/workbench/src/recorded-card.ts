import type { RecordedEvent } from '@tallystick/core'
import { fieldsOf } from './recorded-fields.ts'

export const MASKED = /^(\d{6})\*\*\*(\d{4})$/

/** Cards of `@tallystick/testing` that decide by their number, by what is left of it when it is masked. */
const BY_NUMBER: Readonly<Record<string, readonly [name: string, number: string]>> = {
  '444455***1111': ['threeDs', '4444555566661111'],
  '444444***0028': ['threeDsMethod', '4444444400000028'],
  '444444***0036': ['threeDsFrictionless', '4444444400000036'],
  '444444***0044': ['threeDsNoMethodUrl', '4444444400000044'],
  '444444***0051': ['threeDsPaReq', '4444444400000051'],
}

const BY_CODE: Readonly<Record<string, string>> = {
  101: 'expired',
  116: 'insufficientFunds',
  119: 'notPermitted',
  209: 'stolen',
}

/** The test card to which the bank answers as it did. */
export function cardOf(events: readonly RecordedEvent[]): string {
  const number = events
    .flatMap((event) => (event.type === 'request' || event.type === 'page' ? fieldsOf(event.form) : []))
    .find(([, value]) => MASKED.test(value))?.[1]
  if (events.some(({ type }) => type === 'three-ds')) return BY_NUMBER[number ?? '']?.[0] ?? 'threeDs'
  const decided = events.find((event) => event.type === 'acquirer' && event.call === 'execute')
  if (decided?.type !== 'acquirer') return 'approved'
  if (decided.answer === 'declined') return BY_CODE[decided.errorCode ?? ''] ?? 'declined'
  const isByFault = events.some(
    (event) => event.type === 'acquirer' && event.call === 'lookup' && event.answer !== 'unknown',
  )
  return decided.answer === 'unknown' && !isByFault ? 'unknown' : 'approved'
}

export function numberOf(card: string): string {
  return Object.values(BY_NUMBER).find(([name]) => name === card)?.[1] ?? '4444555566661111'
}

/** A number that is masked in the same way: no real card's, but with a right check digit. */
export function numberLike(masked: string): string {
  const known = BY_NUMBER[masked]?.[1]
  const [, bin, lastFour] = MASKED.exec(masked) ?? []
  if (known !== undefined || bin === undefined || lastFour === undefined) return known ?? masked
  const length = /^3[47]/.test(bin) ? 5 : 6
  for (let middle = 0; middle < 10; middle++) {
    const number = `${bin}${String(middle).padStart(length, '0')}${lastFour}`
    if (passesLuhn(number)) return number
  }
  return masked
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (const [place, digit] of Array.from(number).reverse().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** What the customer did at the bank. */
export function answerOf(events: readonly RecordedEvent[]): string {
  const decided = events.findLast((event) => event.type === 'acquirer' && event.call === 'authenticate')
  if (decided?.type !== 'acquirer' || decided.answer !== 'declined') return 'confirms'
  return decided.errorMessage?.includes('cancelled') === true ? 'cancels' : 'fails'
}
