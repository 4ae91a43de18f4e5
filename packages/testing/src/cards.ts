import { suggestName } from '@tallystick/core/internal'
import { FAULTS, type FaultName } from '@tallystick/gateway'
import { exampleCard } from '@tallystick/gateway/internal'
import { namedTable } from './options/check-fields.ts'

/** The card fields of every payment: `saleInput(cards.expired)`. */
export interface TestCard {
  /** 16 digits that pass the Luhn check. No real card has this number. */
  readonly cardNumber: string
  readonly cardPrintedName: string
  /** Two digits. */
  readonly expireMonth: string
  /** Four digits. */
  readonly expireYear: string
  /** Decides what happens to the payment. */
  readonly cvv2: string
}

/**
 * Test numbers of the family pass the Luhn check; the CVV decides what happens (rule G10-05 of `spec/requirements`).
 */
function card(cvv2: string, cardNumber: string = exampleCard.cardNumber): TestCard {
  return { ...exampleCard, cardNumber, cvv2 }
}

/**
 * A card whose orders have the named fault of the gateway, such as `callback-twice`. Without the fault the payment would be
 * approved, for faults of 3DS after a 3DS step.
 *
 * @throws TypeError if there is no such fault
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
  /** The status is `unknown` for a minute, then approved. */
  unknownThenApproved: cardWithFault('unknown-then-approved'),
  /** The status is `unknown` for a minute, then declined. */
  unknownThenDeclined: cardWithFault('unknown-then-declined'),
  /** Requires a 3DS step, a challenge unless the simulator is set otherwise: until then the status stays `processing`. */
  threeDs: challenged,
  /** The same card, named for that default. */
  threeDsChallenge: challenged,
  /** 3DS with the method frame, then a challenge. */
  threeDsMethod: card('321', '4444444400000028'),
  /** 3DS with only the method frame. */
  threeDsFrictionless: card('321', '4444444400000036'),
  /** 3DS of an issuer without a method URL, then a challenge. */
  threeDsNoMethodUrl: card('321', '4444444400000044'),
  /** 3-D Secure 1.0.2. */
  threeDsPaReq: card('321', '4444444400000051'),
} as const satisfies Readonly<Record<string, TestCard>>

/** Cards by what happens to a payment with them. Reading an unknown name throws a `TypeError`, even in a spread. */
export const cards = namedTable('cards', table)
