import type { PaymentError } from '@tallystick/core'

// Linear: so few characters are read that it does not matter what it tries.
const NO_SUCH_ORDER =
  /\b(?:no(?: such)?|unknown) (?:order|transaction)\b|\b(?:order|transaction)\b(?: (?:with|of) [^.:;,]{0,200}| (?=[\w-]*\d)[\w-]+)? (?:(?:was|is) )?(?:not found|unknown|does not exist|doesn['\u2019]t exist)\b/i

/** A refusal says what it is in its first words. How much of it is read bounds what the expressions may cost. */
const MOST_READ = 500

/** A text that names one of these may refuse that, and not the order. */
const SOMETHING_ELSE =
  /\b(?:merchant|login|end[ -]?point|project|control|signature|key|credential)s?\b|\baccess|\bpermi(?:t|ssion)|\ballowed\b|\bdenied\b|\bforbidden\b/i

/**
 * Whether a gateway refused a status because it has no such order. There is no list of codes (part 7 of the specification), so
 * it is told by the words; another refusal may be one of the login, and what could be either says nothing. For advice, and
 * where a page refused what the gateway then has no order of; the journal, which makes an absence of it, goes by the code.
 */
export function saysNoSuchOrder(error: PaymentError): boolean {
  return error.code === 'REJECTED' && 'errorMessage' in error && tellsOfNoOrder(String(error.errorMessage))
}

/** As {@link saysNoSuchOrder}, by the words of a refused status. */
export function tellsOfNoOrder(words: string): boolean {
  const read = words.slice(0, MOST_READ)
  return NO_SUCH_ORDER.test(read) && !SOMETHING_ELSE.test(read)
}
