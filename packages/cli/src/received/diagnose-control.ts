import type { Pair } from '@tallystick/core'
import { type ControlEvidence, explainControl } from '@tallystick/signing'
import { UsageError } from '../usage-error.ts'
import type { Diagnosis, Known } from './diagnosis.ts'
import { type Suspicion, suspicionOfControl } from './suspicion.ts'

/** What a request or a callback shows of its control. */
type SeenControl = Omit<ControlEvidence, 'key' | 'otherKeys' | 'theirText' | 'login'>

/**
 * @param wireNames by the names of the fields
 * @throws UsageError if there is no control
 */
export function diagnoseControl(
  seen: SeenControl,
  wireNames: readonly Pair[],
  { controlKey, otherKeys, signedText, login }: Omit<Known, 'profile'>,
): Pick<Diagnosis, 'suspicion' | 'explanation'> {
  if (seen.control.trim() === '') throw new UsageError('the field control is missing: it is the signature')
  const explanation = explainControl({ ...seen, key: controlKey(), otherKeys, theirText: signedText, login })
  return { suspicion: suspicionOf(seen, wireNames, signedText), explanation }
}

function suspicionOf(
  { control, formula, rules, fields, path }: SeenControl,
  wireNames: readonly Pair[],
  signedText: string | undefined,
): Suspicion {
  const wireNameOf = new Map(wireNames)
  const signed = formula.flatMap((term) => {
    const rule = rules[term] ?? { reads: 'field', field: term }
    return rule.reads === 'path' ? [] : [rule.field]
  })
  const isUnsent = (name: string) => (fields[name] ?? '').trim() === ''
  const { sent = [], unsent = [] } = Object.groupBy(signed, (name) => (isUnsent(name) ? 'unsent' : 'sent'))
  const onWire = (names: readonly string[]) => names.map((name) => wireNameOf.get(name) ?? name)
  const endpointId = formula.includes('endpointId') ? path.id : undefined
  return suspicionOfControl({ control, sent: onWire(sent), unsent: onWire(unsent), endpointId, signedText })
}
