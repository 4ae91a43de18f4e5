/** The tables of the journal, as kysely sees them. Times are milliseconds since 1970. */
export interface Tables {
  readonly journal_intents: IntentsTable
  readonly journal_outcomes: OutcomesTable
  readonly journal_stray_orders: StrayOrdersTable
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
  endpoint_id: string | null
  endpoint_group_id: string | null
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

export interface OutcomesTable {
  client_order_id: string
  number: number
  /** JSON of a `JournalOutcome`. */
  outcome: string
  failures: number
  due_at: number
  handled_at: number | null
}

export interface StrayOrdersTable {
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
export interface GatewayAnswersTable {
  endpoint_id: string
  endpoint_group_id: string
  at: number
}

export interface JournalVersionTable {
  version: number
  name: string
  works_with: number
  made_at: number
}
