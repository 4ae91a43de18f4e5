/** The tables of the journal, as kysely sees them. Times are milliseconds since 1970. */
export interface Tables {
  readonly journal_intents: IntentsTable
  readonly journal_outcomes: OutcomesTable
  readonly journal_stray_callbacks: StrayCallbacksTable
  readonly journal_gateway_answers: GatewayAnswersTable
  readonly journal_version: JournalVersionTable
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
  /** JSON: texts of minor units. */
  amounts: string
  currency: string | null
  digest: string
  state: string
  version: number
  created_at: number
  sent_at: number | null
  deadline_ms: number
  sends: number
  lease_until: number | null
  lease_owner: string | null
  next_check_at: number | null
  looked_at: number | null
  woken_at: number | null
  absences: number
  first_absence_at: number | null
  rejection: string | null
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

export interface OutcomesTable {
  client_order_id: string
  number: number
  /** JSON of a `JournalOutcome`. */
  outcome: string
  failures: number
  due_at: number
  handled_at: number | null
}

export interface StrayCallbacksTable {
  digest: string
  client_order_id: string
  order_id: string
  status: string
  type: string | null
  amount: string | null
  currency: string | null
  received_at: number
  copies: number
}

/** One row: when the gateway last told of an order that exists. */
export interface GatewayAnswersTable {
  only: number
  at: number
}

export interface JournalVersionTable {
  version: number
  name: string
}
