import { objectIn } from '../arguments/object-in.ts'
import { UsageError } from '../usage-error.ts'
import type { World } from '../world.ts'
import type { CertifyValues } from './certify-options.ts'

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

/** The CVV with which those sandboxes decline, and with which they ask for 3-D Secure. */
const CVV = { declined: '116', threeDs: '321' }

export interface CertifyCards {
  /** The card of each payment that is to be approved. */
  readonly card: CertifyCard
  /** What the endpoint does with another card than the family's is unknown, unless it is told. */
  readonly declinedCard: CertifyCard | undefined
  readonly threeDsCard: CertifyCard | undefined
}

/** @throws UsageError */
export function cardsFrom(
  files: Pick<CertifyValues, 'card' | 'declined-card' | 'three-ds-card'>,
  world: World,
): CertifyCards {
  const other = (file: string | undefined, cvv2: string) => {
    if (file !== undefined) return cardIn(file, world)
    return files.card === undefined ? { ...TEST_CARD, cvv2 } : undefined
  }
  return {
    card: files.card === undefined ? TEST_CARD : cardIn(files.card, world),
    declinedCard: other(files['declined-card'], CVV.declined),
    threeDsCard: other(files['three-ds-card'], CVV.threeDs),
  }
}

/** From a file, because a number on the command line is stored by the shell. @throws UsageError */
function cardIn(file: string, { read }: World): CertifyCard {
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
