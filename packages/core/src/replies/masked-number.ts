import type { ReplyValues } from '../operations/catalogue.ts'

/**
 * The number of a stored card as it may be shown: `masked-pan`, or, from gateways that do not send that, the BIN, six
 * asterisks and the last four digits.
 */
export function maskedNumberOf(card: Pick<ReplyValues<'getCardInfo'>, 'bin' | 'lastFourDigits' | 'maskedPan'>): string {
  return card.maskedPan ?? `${card.bin}******${card.lastFourDigits}`
}
