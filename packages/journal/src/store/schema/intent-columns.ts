import type { Intent } from '@tallystick/client'
import type { IntentsTable } from './tables.ts'

/** How a field of an intent is stored. */
type Kept = 'plain' | 'json' | 'flag'

/** The column of each field. */
export const INTENT_COLUMNS: { readonly [Field in keyof Required<Intent>]: readonly [keyof IntentsTable, Kept] } = {
  intentId: ['intent_id', 'plain'],
  businessKey: ['business_key', 'plain'],
  attempt: ['attempt', 'plain'],
  operation: ['operation', 'plain'],
  kind: ['kind', 'plain'],
  clientOrderId: ['client_order_id', 'plain'],
  orderId: ['order_id', 'plain'],
  endpointId: ['endpoint_id', 'plain'],
  endpointGroupId: ['endpoint_group_id', 'plain'],
  amounts: ['amounts', 'json'],
  currency: ['currency', 'plain'],
  digest: ['digest', 'plain'],
  state: ['state', 'plain'],
  version: ['version', 'plain'],
  createdAt: ['created_at', 'plain'],
  sentAt: ['sent_at', 'plain'],
  deadlineMs: ['deadline_ms', 'plain'],
  sends: ['sends', 'plain'],
  leaseUntil: ['lease_until', 'plain'],
  leaseOwner: ['lease_owner', 'plain'],
  nextCheckAt: ['next_check_at', 'plain'],
  watchAt: ['watch_at', 'plain'],
  lookedAt: ['looked_at', 'plain'],
  wokenAt: ['woken_at', 'plain'],
  absences: ['absences', 'plain'],
  firstAbsenceAt: ['first_absence_at', 'plain'],
  rejection: ['rejection', 'plain'],
  isPaidBefore: ['is_paid_before', 'flag'],
  before: ['order_before', 'json'],
  observed: ['observed', 'json'],
  serialNumber: ['serial_number', 'plain'],
  redirectUrl: ['redirect_url', 'plain'],
  reference: ['reference', 'plain'],
  status: ['status', 'plain'],
  reviewReason: ['review_reason', 'plain'],
  holdsKey: ['holds_key', 'flag'],
  holdsOrder: ['holds_order', 'flag'],
  evidence: ['evidence', 'json'],
}

const ENTRIES = Object.entries(INTENT_COLUMNS)

/** The row of an intent. */
export function rowOf(intent: Intent): IntentsTable {
  const fields: Readonly<Record<string, unknown>> = { ...intent }
  const row = Object.fromEntries(ENTRIES.map(([field, [column, kept]]) => [column, written(fields[field], kept)]))
  // The table above names every column once.
  return row as unknown as IntentsTable
}

/** The intent of a row that this package has written. */
export function intentOf(row: Readonly<Record<string, unknown>>): Intent {
  const fields = ENTRIES.map(([field, [column, kept]]) => [field, read(row[column], kept)] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as Intent
}

/** The value to store. Numbers are rounded: a clock may give times with fractions. */
function written(value: unknown, kept: Kept): unknown {
  if (value === undefined) return null
  if (kept === 'json') return JSON.stringify(value)
  if (kept === 'flag') return value === true ? 1 : 0
  return typeof value === 'number' ? Math.round(value) : value
}

function read(value: unknown, kept: Kept): unknown {
  if (value === null || value === undefined) return undefined
  if (kept === 'json' && typeof value === 'string') return JSON.parse(value)
  return kept === 'flag' ? value === 1 : value
}
