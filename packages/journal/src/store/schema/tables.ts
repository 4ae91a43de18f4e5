import type { Intent } from '@tallystick/client/ports'
import { compilers, type VersionTable } from '@tallystick/durable/schema'
import { storable } from '@tallystick/durable/stored-text'
import type { Generated } from 'kysely'

/** The tables of the journal, as kysely sees them. Times are milliseconds since 1970. */
export interface Tables {
  readonly journal_intents: IntentsTable & OnlyInMysql
  readonly journal_outcomes: OutcomesTable
  readonly journal_orphan_orders: OrphanOrdersTable
  readonly journal_gateway_answers: GatewayAnswersTable
  readonly journal_version: VersionTable
}

/** A row for each intent; its columns are those of {@link INTENT_COLUMNS}. */
export interface IntentsTable {
  intent_id: string
  business_key: string
  attempt: number
  operation: string
  kind: string
  client_order_id: string
  order_id: string | null
  endpoint_id: string | null
  endpoint_group_id: string | null
  /** JSON: texts of minor units. */
  amounts: string
  currency: string | null
  digest: string
  /** JSON of texts by name. */
  input: string | null
  state: string
  version: number
  created_at: number
  sent_at: number | null
  deadline_ms: number
  sends: number
  lease_until: number | null
  lease_owner: string | null
  next_check_at: number | null
  watch_at: number | null
  looked_at: number | null
  woken_at: number | null
  absences: number
  first_absence_at: number | null
  rejection: string | null
  is_paid_before: number | null
  /** JSON of an `Observation`. */
  order_before: string | null
  /** JSON of an `Observation`. */
  observed: string | null
  serial_number: string | null
  redirect_url: string | null
  reference: string | null
  status: string | null
  review_reason: string | null
  /** 1 or 0. */
  holds_key: number
  /** 1 or 0. */
  holds_order: number
  /** JSON of a list of `Evidence`. */
  evidence: string
}

/**
 * Intents without a status to check: not sent yet, in review, a stored card, or a modification that has ended. A callback leaves
 * them as they are, so that a process about to write one of them does not find another version.
 */
export const AT_REST =
  "(state in ('PREPARED', 'NOT_SENT', 'REVIEW') or kind = 'card' or (kind = 'modification' and state = 'FINAL'))"

/** The table of intents has more in MySQL. */
interface OnlyInMysql {
  /** How many inserts the row was in the way of. */
  refused: Generated<number>
}

export interface OutcomesTable {
  client_order_id: string
  number: number
  /** JSON of a `JournalOutcome`. */
  outcome: string
  failures: number
  due_at: number
  handled_at: number | null
}

export interface OrphanOrdersTable {
  client_order_id: string
  order_id: string
  status: string
  type: string | null
  amount: string | null
  currency: string | null
  received_at: number
  woken_at: number
  callbacks: number
  next_check_at: number | null
  watch_at: number | null
  lease_until: number | null
  /** JSON of an `Observation`. */
  told: string | null
  told_at: number | null
}

/** A row for each endpoint: when it last answered for an order that exists. An id that it does not have is the empty text. */
interface GatewayAnswersTable {
  endpoint_id: string
  endpoint_group_id: string
  at: number
}

/** Kysely as a compiler: it runs no statement. The stores run them, in transactions of their own. */
export const queries = compilers<Tables>()

/** How a field of an intent is stored. */
type Kept = 'plain' | 'json' | 'flag'

/** The column of each field. */
const INTENT_COLUMNS: { readonly [Field in keyof Required<Intent>]: readonly [keyof IntentsTable, Kept] } = {
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
  input: ['input', 'json'],
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

export const INTENT_COLUMN_NAMES: readonly (keyof IntentsTable)[] = ENTRIES.map(([, [column]]) => column)

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

export function intentsIn(rows: readonly object[]): readonly Intent[] {
  return rows.map((row) => intentOf({ ...row }))
}

export function intentIn(row: object | undefined): Intent | undefined {
  return row === undefined ? undefined : intentOf({ ...row })
}

/** The most characters of a text that MySQL has in an index: of a business key, and of any other. */
export const MYSQL_CHARACTERS = { key: 750, name: 255 } as const

const NAMES = ['intent_id', 'client_order_id', 'order_id', 'endpoint_id', 'endpoint_group_id', 'reference'] as const

/** @throws RangeError for a text that MySQL would refuse or, unless its `sql_mode` is strict, cut to one that another order may have */
export function requireFit(row: Partial<Pick<IntentsTable, 'business_key' | (typeof NAMES)[number]>>): void {
  for (const column of ['business_key', ...NAMES] as const) {
    const most = MYSQL_CHARACTERS[column === 'business_key' ? 'key' : 'name']
    const { length } = storable(row[column] ?? '')
    if (length > most) throw new RangeError(`${column} has ${length} characters: MySQL keeps ${most} of it`)
  }
}

type WholeColumns<Table> = { [Name in keyof Table]: number extends Table[Name] ? Name : never }[keyof Table]

/** The columns that are numbers, and `n` for a count. The others are texts. */
const WHOLE_NUMBERS: Readonly<
  Record<
    | 'n'
    | WholeColumns<IntentsTable>
    | WholeColumns<OutcomesTable>
    | WholeColumns<OrphanOrdersTable>
    | WholeColumns<GatewayAnswersTable>
    | WholeColumns<VersionTable>,
    true
  >
> = {
  absences: true,
  at: true,
  attempt: true,
  callbacks: true,
  created_at: true,
  deadline_ms: true,
  due_at: true,
  failures: true,
  first_absence_at: true,
  handled_at: true,
  holds_key: true,
  holds_order: true,
  is_paid_before: true,
  lease_until: true,
  looked_at: true,
  made_at: true,
  n: true,
  next_check_at: true,
  number: true,
  received_at: true,
  sends: true,
  sent_at: true,
  told_at: true,
  version: true,
  watch_at: true,
  woken_at: true,
  works_with: true,
}

export function isWholeNumber(column: string): boolean {
  return Object.hasOwn(WHOLE_NUMBERS, column)
}

/** The column of a name that a library has put into camel case, or left as it is. */
export function columnOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}
