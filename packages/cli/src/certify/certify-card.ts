import { objectIn } from '../arguments/object-in.ts'
import { UsageError } from '../usage-error.ts'
import type { World } from '../world.ts'

/** The card of each payment, as texts. */
export interface CertifyCard {
  readonly cardNumber: string
  readonly cardPrintedName: string
  readonly expireMonth: string
  readonly expireYear: string
  readonly cvv2: string
}

/** The test card of the family, whose CVV makes its sandboxes approve (gaps part 10). */
const TEST_CARD: CertifyCard = {
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2039',
  cvv2: '123',
}

/** From a file, because a number on the command line is stored by the shell. @throws UsageError */
export function cardFrom(file: string | undefined, { read }: World): CertifyCard {
  if (file === undefined) return TEST_CARD
  const given = objectIn(read(file)) ?? {}
  const names = Object.keys(TEST_CARD)
  if (names.some((name) => typeof given[name] !== 'string')) {
    throw new UsageError(`${file} must hold a JSON object with the texts ${names.join(', ')}`)
  }
  // It would change the payments, and the gateway would be blamed for it.
  const other = Object.keys(given).find((name) => !names.includes(name))
  if (other !== undefined) throw new UsageError(`${file}: ${other} is no part of a card: leave it out`)
  return given as unknown as CertifyCard
}
