import type { ControlAuth, ControlTerm, Operation, Pair, Profile } from '@tallystick/core'

type Model = Operation['request']

/**
 * A fast path: of the pairs of a request, those that its control is made of, and the currency, which says how many decimals
 * the amount may have. `controlTerms` sorts what it is given by the names of the model, which takes as long as all the rest of
 * signing; of these few it makes the same terms as of all pairs, which are the reference in the tests.
 *
 * All of them where the profile gives two fields one wire name: to find what comes twice is the business of `controlTerms`.
 */
export function signedPairs(
  pairs: readonly Pair[],
  auth: ControlAuth,
  model: Model,
  profile: Profile,
): readonly Pair[] {
  const { sent, inOrder } = model.spelling(profile.wireNames)
  if (sent.length !== inOrder.length) return pairs
  const names = [wireNameOf('currency', model, profile), ...auth.terms.map((term) => wireNameOf(term, model, profile))]
  return pairs.filter(([name]) => names.includes(name))
}

/** `undefined` of what is no field of the request: the id in the path, or a currency where there is none. */
function wireNameOf(term: ControlTerm, { name, fields }: Model, { wireNames }: Profile): string | undefined {
  const field = term === 'amountInCents' ? 'amount' : term
  return wireNames[name]?.[field] ?? fields[field]?.wireName
}
