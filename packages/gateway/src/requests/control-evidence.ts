import {
  type ControlAuth,
  catalogue,
  exponentOf,
  type Operation,
  type OperationKey,
  operationKeys,
  type Pair,
  type Profile,
} from '@tallystick/core'
import type { ControlEvidence, ControlTermRule } from '@tallystick/signing'
import { controlOf, valuesByName } from '../http/read-request.ts'

/** A request with a control, as it was sent. */
export interface ControlledRequest {
  readonly key: OperationKey
  readonly auth: ControlAuth
  readonly pairs: readonly Pair[]
  readonly profile: Profile
}

/** What the signature doctor learns from the request itself and from the catalogue. Path and key are the receiver's to add. */
export function controlEvidence(request: ControlledRequest): Omit<ControlEvidence, 'path' | 'key'> {
  const { auth, profile } = request
  const fields = valuesByName(request, profile)
  const decimals = exponentOf(fields['currency']?.trim(), profile.exponents)
  return {
    formula: auth.terms,
    otherFormulas: otherFormulas(auth),
    rules: { ...RULES, amountInCents: { reads: 'amount', field: 'amount', decimals } },
    fields,
    control: controlOf(request),
  }
}

/** How to read the terms of core's formulas that are not just the field of the same name. */
const RULES: Readonly<Record<string, ControlTermRule>> = {
  endpointId: { reads: 'path' },
  currency: { reads: 'field', field: 'currency', onlyWith: 'amount' },
}

/** Each formula is named by all operations that use it: which one the merchant meant is unknown. */
function otherFormulas(auth: ControlAuth): Readonly<Record<string, readonly string[]>> {
  const others = operationKeys.flatMap((key) => {
    const other: Operation['auth'] = catalogue[key].auth
    return other.scheme === 'control' && other.terms.join() !== auth.terms.join() ? [{ key, terms: other.terms }] : []
  })
  const byTerms = Map.groupBy(others, ({ terms }) => terms.join()).values()
  return Object.fromEntries([...byTerms].map((same) => [same.map(({ key }) => key).join(', '), same[0]?.terms ?? []]))
}
