import { CallbackNotice, parseForm } from '@tallystick/core'
import { ambiguity } from './ambiguity.ts'
import { diagnoseControl } from './diagnose-control.ts'
import type { Diagnosis, Known } from './diagnosis.ts'

/** The formula of a callback (gaps part 6). */
const CALLBACK_TERMS = ['status', 'orderId', 'clientOrderId']

/** Of a callback, or of a customer's return. @throws UsageError if it has no control */
export function diagnoseCallback(query: string, known: Known): Diagnosis {
  const { read, sent } = CallbackNotice.spelling()
  const pairs = parseForm(query)
  const fields = Object.fromEntries(pairs.map(([name, value]) => [read.get(name) ?? name, value]))
  const path = { kind: 'endpoint', id: '' } as const
  const seen = { formula: CALLBACK_TERMS, rules: {}, fields, path, control: fields['control'] ?? '' }
  // Nothing but its fields is signed.
  const said = diagnoseControl(seen, sent, { ...known, login: undefined })
  return { what: 'the control of the callback', ...said, refusal: ambiguity(pairs, read) }
}
