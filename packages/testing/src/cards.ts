import { suggestName } from '@tallystick/core'
import { FAULTS, type FaultName } from '@tallystick/gateway'
import { namedTable } from './options/named-table.ts'

/** Fields of a card as every payment takes them: `saleInput(cards.expired)`. */
export interface TestCard {
  /** 16 digits that pass the Luhn check. No card of anybody has them. */
  readonly cardNumber: string
  readonly cardPrintedName: string
  /** Two digits. */
  readonly expireMonth: string
  /** Four digits. */
  readonly expireYear: string
  /** What happens with the payment depends on it. */
  readonly cvv2: string
}

/**
 * Test numbers of the family pass the Luhn check; the CVV chooses what happens (rule G10-05 of `spec/requirements`).
 */
function card(cvv2: string, cardNumber = '4444555566661111'): TestCard {
  return {
    cardNumber,
    cardPrintedName: 'JOHN SMITH',
    expireMonth: '12',
    expireYear: '2039',
    cvv2,
  }
}

/**
 * A card whose orders have a fault of the gateway's by its name, such as `callback-twice`. It would be approved; with the
 * faults of 3DS, after 3DS.
 *
 * @throws TypeError when there is no such fault
 */
export function cardWithFault(fault: FaultName): TestCard {
  if (!Object.hasOwn(FAULTS, fault)) {
    throw new TypeError(`cardWithFault: there is no fault ${fault}; ${suggestName(String(fault), Object.keys(FAULTS))}`)
  }
  return card(FAULTS[fault].acts === 'page' ? '321' : '123', FAULTS[fault].card)
}

const challenged = card('321')

const table = {
  approved: card('123'),
  /** Declined as expired. */
  expired: card('101'),
  insufficientFunds: card('116'),
  notPermitted: card('119'),
  stolen: card('209'),
  /** Declined without a particular reason. */
  declined: card('999'),
  /** The acquirer does not know: the status is `unknown` and stays so. */
  unknown: card('217'),
  /** The status is `unknown` for a minute, and approved then. */
  unknownThenApproved: cardWithFault('unknown-then-approved'),
  /** The status is `unknown` for a minute, and declined then. */
  unknownThenDeclined: cardWithFault('unknown-then-declined'),
  /** Asks for a 3DS step, a challenge unless the simulator was told otherwise: the status stays `processing`. */
  threeDs: challenged,
  /** The same by what it does where the simulator was told nothing. */
  threeDsChallenge: challenged,
  /** 3DS with the method frame, then a challenge. */
  threeDsMethod: card('321', '4444444400000028'),
  /** 3DS with the method frame alone. */
  threeDsFrictionless: card('321', '4444444400000036'),
  /** 3DS of an issuer without a method URL, then a challenge. */
  threeDsNoMethodUrl: card('321', '4444444400000044'),
  /** 3-D Secure 1.0.2. */
  threeDsPaReq: card('321', '4444444400000051'),
} as const satisfies Readonly<Record<string, TestCard>>

/** Cards by what happens to a payment with them. A name that there is not is a `TypeError`, also where it is spread. */
export const cards = namedTable('cards', table)
