import type { PaymentError } from '@tallystick/core'

// Linear: it reads too few characters for backtracking to matter.
const NO_SUCH_ORDER =
  /\b(?:no(?: such)?|unknown) (?:order|transaction)\b|\b(?:order|transaction)\b(?: (?:with|of) [^.:;,]{0,200}| (?=[\w-]*\d)[\w-]+)? (?:(?:was|is) )?(?:not found|unknown|does not exist|doesn['\u2019]t exist)\b/i

/** A refusal says what it is in its first words. This limit bounds the cost of the expressions. */
const MOST_READ = 500

/** If a text names one of these, the refusal may be about that, not about the order. */
const SOMETHING_ELSE =
  /\b(?:merchant|login|end[ -]?point|project|control|signature|key|credential)s?\b|\baccess|\bpermi(?:t|ssion)|\ballowed\b|\bdenied\b|\bforbidden\b/i

/**
 * Whether a gateway refused a status because it has no such order. There is no list of codes (part 7 of the specification), so
 * the words decide. Another refusal may be about the login; one that could be either says nothing. Used for advice, and to
 * confirm a refusal that came as a page. The journal, which infers an absence, goes by the code.
 */
export function saysNoSuchOrder(error: PaymentError): boolean {
  return error.code === 'REJECTED' && 'errorMessage' in error && tellsOfNoOrder(String(error.errorMessage))
}

/** As {@link saysNoSuchOrder}, by the words of a refused status. What did not decode may have said something else. */
export function tellsOfNoOrder(words: string): boolean {
  if (words.includes('\ufffd')) return false
  const read = words.slice(0, MOST_READ)
  return NO_SUCH_ORDER.test(read) && !SOMETHING_ELSE.test(read)
}
