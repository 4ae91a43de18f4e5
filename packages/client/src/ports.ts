/** What the client offers a journal, and what another journal, or another store for ours, needs of it. */
export { saysNoSuchOrder } from './call/refusals.ts'
export { LEAST_WAIT_MS, pollInterval } from './outcomes/poll.ts'
export type { CallbackInbox, ReceivedCallback } from './ports/callback-inbox.ts'
export {
  type Evidence,
  INTENT_STATES,
  type Intent,
  type IntentEndpoint,
  type IntentKind,
  type IntentState,
  type JournalOutcome,
  type NewOutcome,
  type Observation,
  type OperationOutcome,
  type OrderNotice,
  type ReviewReason,
} from './ports/intent.ts'
export type {
  DeliveryResult,
  DueWindow,
  InboxEntry,
  InsertResult,
  IntentChange,
  IntentClaim,
  IntentConflict,
  IntentRenewal,
  JournalStore,
  NamedOrders,
  OpenOutcome,
  OrphanChange,
  OrphanClaim,
  OrphanOrder,
  OrphanTerms,
  StateCounts,
  StoredOutcome,
} from './ports/journal-store.ts'
