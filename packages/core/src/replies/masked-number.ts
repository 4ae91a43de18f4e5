import type { ReplyValues } from '../operations/catalogue.ts'

/**
 * The number of a stored card as it may be shown. Gateways that do not send it (`masked-pan`) send its ends: then it is
 * the BIN, six asterisks and the last four digits.
 */
export function maskedNumberOf(card: Pick<ReplyValues<'getCardInfo'>, 'bin' | 'lastFourDigits' | 'maskedPan'>): string {
  return card.maskedPan ?? `${card.bin}******${card.lastFourDigits}`
}
