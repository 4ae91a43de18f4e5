import { maskSensitive } from './mask-sensitive.ts'
import { differingPart, sideBySide } from './side-by-side.ts'

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
