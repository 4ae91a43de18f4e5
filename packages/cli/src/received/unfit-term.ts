import {
  type ControlAuth,
  catalogue,
  decodeRequest,
  describeIssue,
  type OperationKey,
  type Pair,
  type Profile,
} from '@tallystick/core'

/**
 * Why a gateway refuses a request before it looks at the control: a field that is signed has a value that no gateway takes, such
 * as an amount with a comma. Nothing is said of other fields, which a log may leave out or mask.
 */
export function unfitTerm(
  key: OperationKey,
  { terms }: ControlAuth,
  pairs: readonly Pair[],
  profile: Profile,
): string | undefined {
  const decoded = decodeRequest(key, pairs, profile)
  if (decoded.ok) return undefined
  const signed = new Set<string>(terms.map((term) => (term === 'amountInCents' ? 'amount' : term)))
  const { read } = catalogue[key].request.spelling(profile.wireNames)
  const given = new Map(pairs.map(([name, value]) => [read.get(name), value.trim()]))
  const unfit = decoded.issues.find(({ field }) => signed.has(field) && (given.get(field) ?? '') !== '')
  if (unfit === undefined) return undefined
  const hint = given.get(unfit.field)?.includes(' ') ? ' In a form a + is a space: send a + as %2B.' : ''
  return describeIssue(unfit) + hint
}
