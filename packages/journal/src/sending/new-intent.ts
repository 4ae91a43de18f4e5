import type { Intent } from '@tallystick/client'
import { type BusinessKey, keyText, rebillOrderId } from '../business-key.ts'
import {
  amountsOf,
  digestOf,
  type JournaledOperation,
  type JournalInput,
  kindOf,
  namesOrder,
  textOf,
} from '../operation-facts.ts'
import type { JournalParts } from '../options.ts'

/** What a caller asks for. */
export interface Asked<K extends JournaledOperation> {
  readonly key: BusinessKey
  readonly operation: K
  readonly input: JournalInput<K>
}

/** A new attempt, as it is written before anything is sent. */
export function newIntent<K extends JournaledOperation>(
  asked: Asked<K>,
  attempt: number,
  {
    client,
    clock,
    newName,
    deadlineMs,
    exponents,
  }: Pick<JournalParts<never>, 'client' | 'clock' | 'newName' | 'deadlineMs' | 'exponents'>,
): Intent {
  const { key, operation } = asked
  const fields: Readonly<Record<string, unknown>> = { ...asked.input }
  const kind = kindOf(operation)
  return {
    intentId: newName(),
    businessKey: keyText(key),
    attempt,
    operation,
    kind,
    clientOrderId: clientOrderIdOf(asked, attempt) ?? client.newClientOrderId(),
    orderId: namesOrder(operation) ? textOf(fields['orderId']) : undefined,
    amounts: amountsOf(fields, exponents),
    currency: textOf(fields['currency']),
    digest: digestOf(operation, fields),
    state: 'PREPARED',
    version: 1,
    createdAt: clock.now(),
    deadlineMs,
    sends: 0,
    absences: 0,
    holdsKey: true,
    holdsOrder: kind === 'modification',
    evidence: [],
  }
}

/** The id of the order that the request names, or the one that is derived. */
function clientOrderIdOf<K extends JournaledOperation>(
  { key, operation, input }: Asked<K>,
  attempt: number,
): string | undefined {
  if (operation === 'makeRebill') {
    if (typeof key === 'object') return rebillOrderId(key, attempt)
    throw new TypeError('A rebill is paid under { profile, period }, so that one period cannot be charged twice')
  }
  if (typeof key === 'object') throw new TypeError('{ profile, period } is the key of a rebill; give a text')
  if (!namesOrder(operation)) return undefined
  const named = textOf((input as { readonly clientOrderId?: unknown }).clientOrderId)
  if (named !== undefined && named !== '') return named
  throw new TypeError(`${operation} takes the clientOrderId of the order that it is about`)
}
