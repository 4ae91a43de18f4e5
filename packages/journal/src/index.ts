export type { Intent, JournalOutcome, JournalStore } from '@tallystick/client'
export type { Wakeups } from './background/wake-ups.ts'
export type { JournalEvent, JournalListener } from './events.ts'
export { type BusinessKey, type RebillKey, readRebillKey, rebillOrderId } from './intents/business-key.ts'
export type { EndpointOptions } from './intents/endpoint.ts'
export type { JournaledOperation, JournalInput } from './intents/operation-facts.ts'
export { INTENT_TRANSITIONS } from './intents/states.ts'
export { createJournal, type Journal, type Reconciled } from './journal.ts'
export type {
  HandlerInput,
  JournalOptions,
  NoticeHandler,
  NoticeInput,
  OutcomeHandler,
  TakesNotices,
} from './options.ts'
export type { ReturnView } from './outcomes/browser-return.ts'
export type { JournalReport } from './outcomes/report.ts'
export type { PayOptions } from './pay/pay.ts'
export type { PayResult } from './pay/result.ts'
export type { StrayHandler, StrayNotice, StrayNoticeHandler, StrayOutcome } from './reconcile/orphan-status.ts'
export type { ReviewDecision } from './reconcile/review.ts'
export { memoryJournalStore } from './store/memory/memory-journal-store.ts'
export { type SqliteJournalOptions, sqliteJournalStore } from './store/sqlite/sqlite-journal-store.ts'
