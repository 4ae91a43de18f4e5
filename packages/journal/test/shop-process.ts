import {
  type Clock,
  createPaymentClient,
  type Exchange,
  type OutgoingRequest,
  type Transport,
} from '@tallystick/client'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { defineProfile, type Exponents } from '@tallystick/core'
import { createJournal, type Journal, type JournalOptions, memoryJournalStore } from '../src/index.ts'
import { type HandClock, handClock } from './hand-clock.ts'

export interface ShopProcess<Transaction> {
  readonly journal: Journal<Transaction>
  /** From now on it does nothing and learns nothing, as after kill -9. */
  die(): void
  /** It stands still until `goOn`, as in a pause of its machine; time goes on without it. */
  standStill(): void
  goOn(): void
}

/** How the gateway answers a request. It may take its time, and learns how long the client waits. */
export type Answer = (operation: string, request: OutgoingRequest, timeoutMs?: number) => Promise<Exchange>

interface ProcessOptions<Transaction>
  extends Partial<Omit<JournalOptions<Transaction>, 'client' | 'store' | 'clock' | 'handler'>> {
  /** Takes outcomes and, unless there is an `onNotice`, notices. */
  readonly handler?: (told: { outcome: JournalOutcome; transaction: Transaction }) => void | Promise<void>
  readonly store: JournalStore<Transaction>
  readonly clock: HandClock
  readonly answer: Answer
  /** Decimals of amounts, as the profile of its client has them. */
  readonly exponents?: Exponents
  /** How far its own clock is ahead of `clock`. */
  readonly aheadMs?: number
  /** Whether its store is certain to know all that was paid: then the gateway is asked nothing before a request. */
  readonly isCertain?: boolean
  /** In PEM, for payouts. */
  readonly privateKey?: string | undefined
}

/** A process of the shop, beside others on one store and one clock. */
export function shopProcess<Transaction>({
  store,
  clock,
  answer,
  exponents = 'always-2',
  aheadMs = 0,
  isCertain = false,
  privateKey,
  handler,
  onNotice = ({ notice, transaction }) => handler?.({ outcome: notice, transaction }),
  onOrphan,
  onOrphanNotice = 'ignore',
  ...options
}: ProcessOptions<Transaction>): ShopProcess<Transaction> {
  let [isDead, gate] = [false, Promise.resolve()]
  let open = () => {}
  let standing: (() => void)[] | undefined

  /** A result from outside reaches the process only while it lives and does not stand still. */
  async function heard<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isDead) return await new Promise(() => {})
    const result = await work()
    await gate
    return isDead ? await new Promise(() => {}) : result
  }

  const own: Clock = {
    now: () => clock.now() + aheadMs,
    schedule: (delayMs, task) =>
      clock.schedule(delayMs, () => {
        if (isDead) return
        if (standing === undefined) task()
        else standing.push(task)
      }),
  }
  const transport: Transport = {
    send: (request, { timeoutMs }) =>
      heard(() => answer(new URL(request.url).pathname.split('/').at(-2) ?? '', request, timeoutMs)),
    close: async () => {},
  }
  const used = Object.entries(store).filter(([name]) => !isCertain || name !== 'madeAt')
  const methods = used.map(([name, method]) => [
    name,
    typeof method === 'function'
      ? (...args: unknown[]) => heard(async () => Reflect.apply(method, store, args))
      : method,
  ])
  const client = createPaymentClient({
    profile: defineProfile({ baseUrl: 'http://127.0.0.1:1/paynet', exponents }),
    login: 'test-login',
    controlKey: 'a control key of this test',
    privateKey,
    endpointId: '253',
    transport,
    clock: own,
    readAttempts: 1,
  })
  const journal = createJournal<Transaction>({
    onEvent: () => {},
    fraction: () => 0.5,
    ...options,
    ...(handler ? { handler, onNotice } : {}),
    ...(onOrphan ? { onOrphan, onOrphanNotice } : {}),
    client,
    store: Object.fromEntries(methods) as JournalStore<Transaction>,
    clock: own,
  })
  return {
    journal,
    die: () => {
      isDead = true
    },
    standStill: () => {
      standing = []
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    goOn: () => {
      const late = standing ?? []
      standing = undefined
      open()
      gate = Promise.resolve()
      for (const task of late) task()
    },
  }
}

/** A reply of the interface. */
export function replied(fields: Readonly<Record<string, string>>): Exchange {
  return { kind: 'replied', httpStatus: 200, mediaType: 'application/json', body: JSON.stringify(fields) }
}

/** The status of the order that the request names. */
export function statusReply({ body }: OutgoingRequest, fields: Readonly<Record<string, string>>): Exchange {
  const merchantOrderId = new URLSearchParams(body).get('client_orderid') ?? ''
  const ids = { 'paynet-order-id': '9', 'merchant-order-id': merchantOrderId }
  return replied({ type: 'status-response', ...ids, 'transaction-type': 'sale', ...fields })
}

/** A charge of a stored card, which needs no card data. */
export const rebill = {
  cardRefId: '123456789012345',
  amount: '10.42',
  currency: 'USD',
  orderDesc: 'a month',
  customerIp: '192.0.2.1',
} as const

/** A started shop in memory, with the outcomes and the events that it was called with. */
export function hearingShop(answer: Answer, { privateKey }: { readonly privateKey?: string } = {}) {
  const clock = handClock()
  const told: JournalOutcome[] = []
  const events: string[] = []
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock,
    answer,
    privateKey,
    handler: ({ outcome }) => void told.push(outcome),
    onEvent: ({ type }) => void events.push(type),
    // It has no other processes to look out for, and a day then takes few turns.
    pollMs: 60 * 60_000,
  })
  journal.start()
  return { journal, clock, told, events }
}
