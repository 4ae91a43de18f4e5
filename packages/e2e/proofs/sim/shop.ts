import { type Clock, createCallbackHandler, createPaymentClient, type Handler } from '@tallystick/client'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { createJournal, type Journal, type JournalEvent } from '@tallystick/journal'
import type { Random } from '@tallystick/proof-kit'
import { after } from './clocks.ts'
import { type Effects, killableClock, killableStore, killableTransport, type Life, life } from './killable.ts'
import type { Network } from './network.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const MOST_CRASHES = 2
/** A process dies within this many of its awaits. */
const DIES_WITHIN = 60
const LONGEST_PAUSE_MS = 6 * SECOND
/** How long closing may take: an exchange, its confirmation by status, and a slow database. */
const CLOSED_WITHIN_MS = 90 * SECOND

export interface Merchant {
  readonly baseUrl: string
  readonly login: string
  readonly controlKey: string
  readonly privateKey: string
  readonly endpointId: string
}

export interface ShopOptions {
  readonly merchant: Merchant
  readonly wire: Network
  readonly clock: Clock
  readonly random: Random
  /** The store that all processes of the merchant share. */
  readonly store: JournalStore
  readonly effects: Effects
  readonly events: JournalEvent[]
  /** Makes names that no other process makes. */
  readonly newName: () => string
  readonly isCalm: () => boolean
  /** Whether the merchant relies on repeats getting the first answer. */
  readonly repeatsGetFirstAnswer: boolean
  readonly goOn: (journal: Journal<Effects>) => void
}

export type Shop = ReturnType<typeof openShop>

export interface Running {
  readonly journal: Journal<Effects>
  readonly receive: Handler
}

/** A machine of the merchant, on which one process follows another. */
export function openShop(options: ShopOptions) {
  const { merchant, wire, clock, random, store, effects, events, newName, isCalm, goOn, repeatsGetFirstAnswer } =
    options
  const findings: string[] = []
  let crashes = 0
  let current: Running | undefined

  /** The database is slow now and then. */
  async function pause(): Promise<void> {
    if (random.below(200) === 0) await after(random.below(LONGEST_PAUSE_MS), clock)
  }

  function startLater(): void {
    current = undefined
    clock.schedule(random.below(2 * MINUTE), start)
  }

  function start(): void {
    const isKilled = crashes < MOST_CRASHES && random.below(3) > 0
    const own: Life = life(isKilled ? 1 + random.below(DIES_WITHIN) : undefined, random, () => {
      crashes++
      startLater()
    })
    const ownClock = killableClock(clock, own)
    const client = createPaymentClient({
      ...merchant,
      transport: killableTransport(wire.transport, own),
      clock: ownClock,
      readAttempts: 1,
      timeoutMs: 20 * SECOND,
    })
    const journal = createJournal<Effects>({
      client,
      store: killableStore(store, effects, own, pause),
      clock: ownClock,
      deadlineMs: 20 * SECOND,
      pollMs: 10 * MINUTE,
      fraction: () => random.below(1000) / 1000,
      newName,
      repeatsGetFirstAnswer,
      onEvent: (event) => void (own.isOver() || events.push(event)),
      handler: ({ outcome, transaction }) => take(outcome, transaction),
      onNotice: ({ notice, transaction }) => take(notice, transaction),
    })
    async function take(outcome: JournalOutcome, transaction: Effects): Promise<void> {
      const fate = isCalm() ? undefined : random.below(20)
      if (fate === 0) throw new Error('The handler fails')
      // Longer than the handler may take, or not quite.
      if (fate === 1) await after(random.below(15 * SECOND), ownClock)
      if (fate === 2) goOn(journal)
      transaction.push(outcome)
    }
    current = { journal, receive: createCallbackHandler({ client, inbox: journal.inbox }) }
    journal.start()
    ownClock.schedule(random.below(5 * SECOND), () => goOn(journal))
    if (!isKilled && !isCalm() && random.below(4) === 0)
      ownClock.schedule(random.below(MINUTE), () => void close(journal))
  }

  /** The process is restarted for a new release, whatever it is doing. */
  async function close(journal: Journal<Effects>): Promise<void> {
    current = undefined
    const late = clock.schedule(CLOSED_WITHIN_MS, () => void findings.push('a journal does not close'))
    await journal.close()
    late()
    startLater()
  }

  start()
  return { /** `undefined`: none runs just now. */ current: () => current, crashes: () => crashes, findings }
}
