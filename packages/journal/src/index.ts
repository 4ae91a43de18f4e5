export type { Intent, JournalOutcome, JournalStore } from '@tallystick/client'
export type { ReturnView } from './browser-return.ts'
export { type BusinessKey, type RebillKey, readRebillKey, rebillOrderId } from './business-key.ts'
export type { EndpointOptions } from './endpoint.ts'
export type { JournalEvent, JournalListener } from './events.ts'
export { createJournal, type Journal, type Reconciled } from './journal.ts'
export { memoryJournalStore } from './memory/memory-journal-store.ts'
export type { JournaledOperation, JournalInput } from './operation-facts.ts'
export type {
  HandlerInput,
  JournalOptions,
  NoticeHandler,
  NoticeInput,
  OutcomeHandler,
  TakesNotices,
} from './options.ts'
export type { StrayHandler, StrayNotice, StrayNoticeHandler, StrayOutcome } from './reconcile/stray-look.ts'
export type { JournalReport } from './report.ts'
export type { PayOptions } from './sending/pay.ts'
export type { PayResult } from './sending/pay-result.ts'
export type { ReviewDecision } from './settle-review.ts'
export { type SqliteJournalOptions, sqliteJournalStore } from './sqlite/sqlite-journal-store.ts'
export { INTENT_TRANSITIONS } from './states.ts'
export type { Wakeups } from './wakeups.ts'
