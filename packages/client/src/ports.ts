/** What another journal than ours, or another store for ours, implements and receives. */
export type { CallbackInbox, ReceivedCallback } from './ports/callback-inbox.ts'
export {
  INTENT_STATES,
  type Intent,
  type IntentState,
  type JournalOutcome,
  type NewOutcome,
  type Observation,
  type OperationOutcome,
  type OrderNotice,
  type ReviewReason,
} from './ports/intent.ts'
export type {
  InboxEntry,
  IntentChange,
  IntentClaim,
  JournalStore,
  OrphanChange,
  OrphanClaim,
  OrphanOrder,
  StoredOutcome,
} from './ports/journal-store.ts'
