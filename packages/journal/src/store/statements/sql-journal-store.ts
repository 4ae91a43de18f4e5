import type { DeliveryResult, JournalOutcome, JournalStore } from '@tallystick/client/ports'
import type { DialectName } from '@tallystick/durable/schema'
import { madeAt } from '../schema/migrations.ts'
import { knownOrder, lastAnswerAt, noteAnswer, pullBack } from './answers.ts'
import {
  claimIntents,
  findIntent,
  holderOf,
  insertIntent,
  intentsBy,
  isAnyDue,
  nextDueAt,
  renewIntents,
  updateIntents,
  wakeIntents,
} from './intents.ts'
import { counts, inStates, namedOrders, suspectedDoubles, unconfirmed } from './lists.ts'
import { claimOrphans, isAnyOrphanDue, openOrphans, receiveCallback, renewOrphan, settleOrphan } from './orphans.ts'
import { countOpenOutcomes, openOutcomes, putOffOutcome, takeOutcome } from './outcomes.ts'
import type { Work } from './work.ts'

/** What runs the statements in one kind of database. */
interface Runner<Transaction> {
  /** How many transactions may be open for handlers at once. */
  readonly mostHandOvers: number
  read<Result>(work: () => Work<Result>): Promise<Result>
  /** In a transaction, durable when it resolves. After a rollback the work may be done again from its start. */
  write<Result>(work: () => Work<Result>): Promise<Result>
  /** Within a transaction of the merchant's. */
  within<Result>(transaction: Transaction, work: () => Work<Result>): Promise<Result>
  /**
   * In a transaction: the work and, if that gives `true`, the handler, which writes in the same transaction. The caller makes
   * sure that the handler takes no longer than `limitMs`, if there is a limit.
   */
  around(
    work: () => Work<boolean>,
    handler: (transaction: Transaction) => void | Promise<void>,
    limitMs: number | undefined,
  ): Promise<boolean>
  close(): Promise<void>
}

/** The store of a journal in an SQL database: every method, for a runner that executes the statements. */
export function sqlJournalStore<Transaction>(
  dialect: DialectName,
  { mostHandOvers, read, write, within, around, close }: Runner<Transaction>,
): JournalStore<Transaction> {
  async function handOver(
    outcome: JournalOutcome,
    now: number,
    handler: (transaction: Transaction) => void | Promise<void>,
    limitMs?: number,
  ): Promise<DeliveryResult> {
    return (await around(() => takeOutcome(dialect, outcome, now), handler, limitMs)) ? 'done' : 'not-mine'
  }

  /** Within the transaction of the merchant, if there is one. */
  function withinAny<Result>(
    transaction: Transaction | undefined,
    otherwise: typeof read,
    work: () => Work<Result>,
  ): Promise<Result> {
    return transaction === undefined ? otherwise(work) : within(transaction, work)
  }

  return {
    durable: true,
    mostHandOvers,
    madeAt: () => read(() => madeAt(dialect)),
    insert: (intent, transaction) => withinAny(transaction, write, () => insertIntent(dialect, intent)),
    update: (...changes) => write(() => updateIntents(dialect, changes)),
    find: (intentId) => read(() => findIntent(dialect, 'intent_id', intentId)),
    attemptsOf: (businessKey) => read(() => intentsBy(dialect, 'business_key', businessKey)),
    ofOrder: (clientOrderId, transaction) =>
      withinAny(transaction, read, () => intentsBy(dialect, 'client_order_id', clientOrderId)),
    named: (name) => read(() => namedOrders(dialect, name)),
    claimDue: async (claim) =>
      (await read(() => isAnyDue(dialect, claim))) ? await write(() => claimIntents(dialect, claim)) : [],
    renewLeases: (renewal) => write(() => renewIntents(dialect, renewal)),
    nextDueAt: (horizon) => read(() => nextDueAt(dialect, horizon)),
    knownOrder: (endpoint) => read(() => knownOrder(dialect, endpoint)),
    noteAnswer: (endpoint, at) => write(() => noteAnswer(dialect, endpoint, at)),
    lastAnswerAt: (endpoint) => read(() => lastAnswerAt(dialect, endpoint)),
    receive: (entry, terms) => write(() => receiveCallback(dialect, entry, terms)),
    wake: async (clientOrderId, at) => (await write(() => wakeIntents(dialect, clientOrderId, at))).length,
    orphans: (limit) => read(() => openOrphans(dialect, limit)),
    claimOrphans: async (claim) =>
      (await read(() => isAnyOrphanDue(dialect, claim))) ? await write(() => claimOrphans(dialect, claim)) : [],
    renewOrphan: (orphan, leaseUntil) => write(() => renewOrphan(dialect, orphan, leaseUntil)),
    settleOrphan: (orphan, change, again, forgetBefore) =>
      write(() => settleOrphan(dialect, orphan, change, again, forgetBefore)),
    holderOf: (orderId) => read(() => holderOf(dialect, orderId)),
    findReference: (reference) => read(() => findIntent(dialect, 'reference', reference)),
    openOutcomes: (now, limit) => read(() => openOutcomes(dialect, now, limit)),
    handOver,
    putOff: (outcome, nextTryAt) => write(() => putOffOutcome(dialect, outcome, nextTryAt)),
    pullBack: (setBack) => write(() => pullBack(dialect, setBack)),
    counts: () => read(() => counts(dialect)),
    inStates: (states, limit) => read(() => inStates(dialect, states, limit)),
    unconfirmed: (limit) => read(() => unconfirmed(dialect, limit)),
    suspectedDoubles: (limit) => read(() => suspectedDoubles(dialect, limit)),
    countOpenOutcomes: () => read(() => countOpenOutcomes(dialect)),
    close,
  }
}
