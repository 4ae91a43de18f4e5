import { CONTROL_CHARACTER } from '../errors.ts'

/**
 * What the signature doctor found.
 *
 * - `explained: true`: one single mistake accounts for what was received. `cause` is a literal to branch on, `advice`
 *   one sentence on what to change.
 * - `right: true`: the signature is right; no cause is named.
 * - `right: false`: the signature is wrong, and no single mistake that is known here explains it.
 *
 * Show the texts to nobody but the merchant whose request it is: they hold the whole request. Keys are
 * not in them; card numbers and card codes are masked without changing any length.
 */
export type Explanation<Cause extends string> =
  | {
      readonly explained: true
      readonly cause: Cause
      /** What to change, and at which end. */
      readonly advice: string
      /** Index of the first character of `expected` that `received` lacks; absent if the texts do not differ. */
      readonly where?: number | undefined
      /** The text that should have been signed. */
      readonly expected: string
      /** The text that was signed: given by the caller, or made again by making the mistake. */
      readonly received?: string | undefined
      /** Both texts around the differing part, one under the other, with carets below that part. */
      readonly comparison: string
    }
  | { readonly explained: false; readonly right: true }
  | {
      readonly explained: false
      readonly right: false
      readonly expected?: string | undefined
      /** The request is so long that not every mistake was tried: a shorter one may be explained. */
      readonly isCutShort?: true | undefined
    }

/** A cause with both texts as they are, before anything is masked. */
export type Finding<Cause extends string> = {
  readonly cause: Cause
  readonly advice: string
  readonly expected: string
  readonly received?: string | undefined
}

/** Masks the texts of a finding and lays them side by side. */
export function explained<Cause extends string>(finding: Finding<Cause>, secrets: readonly string[]) {
  const expected = maskSensitive(finding.expected, secrets)
  const received = finding.received === undefined ? undefined : maskSensitive(finding.received, secrets)
  const part = differingPart(finding.expected, finding.received ?? finding.expected)
  const { cause, advice } = finding
  const comparison = sideBySide(expected, received ?? expected, part)
  return { explained: true, cause, advice, where: part?.start, expected, received, comparison } as const
}

/** The value of a parameter that holds a card code or a card number, raw or as it stands in a base string, also inside of another. */
// Linear: a value fits wherever it ends, and what it has taken is not read again.
const NAMED = /((?:cvv2?|cvc2?|card[-_]?n(?:umber|o))(?:=|%(?:25)*3D))((?:[^&%]|%(?!26))*)/gi
/** A card code in JSON, raw or as it stands in a base string. Of a card number the digits are found wherever they are. */
// Linear: what is between the name and the digits has no letter, and each sign fits in one place.
const CODE_IN_JSON =
  /(cv[vc]2?(?:\\|%(?:25)*5C)*(?:"|%(?:25)*22)(?: |%(?:25)*20)*(?::|%(?:25)*3A)(?: |%(?:25)*20)*(?:\\|%(?:25)*5C)*(?:"|%(?:25)*22)?)(\d+)/gi
/** Digits like those of a card number, with or without the separators that people type. */
// Linear: from a digit it goes twelve further at most before it fits for good.
const CARD_LIKE = /\d(?:(?:%(?:25)*20|[ +-])?\d){12,}/g
const DIGITS_ONLY = /^\d{13,19}$/
const FIRST = 6
const LAST = 4

/**
 * Masks what must not be shown of a signed text, without changing its length, so that an index into it stays true: every
 * secret, card codes, and digits like those of a card number but for the first six and last four. An order id of that
 * length is masked as well: the borders between joined terms cannot be seen.
 *
 * @see Safety part 6 (mask first 6 and last 4; the code is never shown)
 */
export function maskSensitive(text: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets.reduce((masked, secret) => masked.replaceAll(secret, stars(secret.length)), text)
  return withoutSecrets
    .replace(NAMED, (_match, name: string, value: string) => name + maskValue(name, value))
    .replace(CODE_IN_JSON, (_match, name: string, code: string) => name + stars(code.length))
    .replace(CARD_LIKE, maskMiddle)
}

function maskValue(name: string, value: string): string {
  return /cv/i.test(name) || !DIGITS_ONLY.test(value) ? stars(value.length) : maskMiddle(value)
}

function maskMiddle(digits: string): string {
  return digits.slice(0, FIRST) + stars(digits.length - FIRST - LAST) + digits.slice(-LAST)
}

function stars(length: number): string {
  return '*'.repeat(length)
}

/** The part in which two texts differ: where it starts in both, and where it ends in each. */
type DifferingPart = { readonly start: number; readonly endOfExpected: number; readonly endOfReceived: number }

const CONTEXT = 32

/** What two texts do not share at their beginning and at their end; `undefined` when they are equal. */
export function differingPart(expected: string, received: string): DifferingPart | undefined {
  if (expected === received) return undefined
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (expected[start] === received[start]) start++
  let tail = 0
  while (tail < shorter - start && expected.at(-1 - tail) === received.at(-1 - tail)) tail++
  return { start, endOfExpected: expected.length - tail, endOfReceived: received.length - tail }
}

/** Three lines: an excerpt of each text around the part, and carets under it. Equal texts have no third line. */
export function sideBySide(expected: string, received: string, part: DifferingPart | undefined): string {
  const start = Math.max(0, (part?.start ?? 0) - CONTEXT)
  const lead = start > 0 ? '…' : ''
  const lines = [
    `expected: ${lead}${excerpt(expected, start, part?.endOfExpected)}`,
    `received: ${lead}${excerpt(received, start, part?.endOfReceived)}`,
  ]
  return part === undefined ? lines.join('\n') : [...lines, carets(part, 10 + lead.length - start)].join('\n')
}

/** Line breaks would tear the columns apart. */
function excerpt(text: string, start: number, end = 0): string {
  const stop = end + CONTEXT
  return text.slice(start, stop).replace(new RegExp(CONTROL_CHARACTER, 'g'), '␠') + (stop < text.length ? '…' : '')
}

function carets({ start, endOfExpected, endOfReceived }: DifferingPart, shift: number): string {
  const width = Math.max(endOfExpected, endOfReceived) - start
  return ' '.repeat(start + shift) + '^'.repeat(width)
}
