import { createPaymentClient } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { createGateway, type Gateway, type GatewayOptions, memoryStore } from '@tallystick/gateway'
import type { Store } from '@tallystick/gateway/store'
import { type Journal, type JournalEvent, memoryJournalStore } from '@tallystick/journal'
import { Random } from '@tallystick/proof-kit'
import { bank, type Entry, tokenizeCards } from '../harness/bank.ts'
import { machineClock, type SimClock, simClock, type WrongBy } from './clocks.ts'
import type { Effects } from './killable.ts'
import { CALLBACK_URL, goOn, type Scenario, scenarios } from './merchant.ts'
import { callbacks, type Network, network } from './network.ts'
import { type Merchant, openShop, type Running, type Shop } from './shop.ts'

export const LOGIN = 'sim-merchant'
const ENDPOINTS = ['253', '254'] as const
const BASE_URL = 'http://localhost/paynet'
/** How wrong the clock of a single machine may be. */
const CLOCK_IS_WRONG_BY: readonly WrongBy[] = ['seconds', 'seconds', 'minutes', 'hours']
/** The percentage of the bank's calls that go wrong. */
const TROUBLES = { notReached: 2, answerLost: 3, declined: 10 }

export interface Keys {
  readonly controlKey: string
  readonly privateKey: string
  readonly publicKey: string
}

/** A shop on one machine or two, a network, the real gateway and a bank, on one virtual clock. */
export interface World {
  readonly random: Random
  readonly clock: SimClock
  readonly gateway: Gateway
  /** The gateway's orders. */
  readonly orders: Store
  /** The bank's own book. */
  readonly book: readonly Entry[]
  readonly wire: Network
  readonly scenarios: readonly Scenario[]
  /** Whether no callback ever comes, because the merchant's address is wrong. */
  readonly isDeaf: boolean
  /** How wrong the merchant's clock is at times. */
  readonly clockIsWrongBy: WrongBy
  /** The merchant's journal. */
  readonly store: JournalStore
  /** What the merchant's handler has written. */
  readonly effects: Effects
  /** The events that the journals reported. */
  readonly events: readonly JournalEvent[]
  readonly shops: readonly Shop[]
  /** A process on one of the machines, if one runs there just now. */
  readonly running: () => Running | undefined
  /** The merchant goes on with all scenarios. */
  readonly goOn: (journal: Journal<Effects>) => void
  /** Reads from the gateway directly, whatever the network is like. */
  readonly inspector: ReturnType<typeof createPaymentClient>
  /** From now on everything arrives, and handlers do not fail. */
  calmDown(): void
}

export function worldOf(seed: number, { controlKey, privateKey, publicKey }: Keys): World {
  const random = new Random(seed)
  // The product's own random numbers, such as for its waits, come from the seed as well.
  Math.random = () => random.below(2 ** 32) / 2 ** 32
  const clock = simClock()
  const [book, effects, events, shops]: [Entry[], Effects, JournalEvent[], Shop[]] = [[], [], [], []]
  const [orders, store] = [memoryStore(), memoryJournalStore()]
  let isTroubled = true
  let names = 0
  const isCalm = () => !isTroubled
  const isDeaf = random.below(4) === 0
  const running = () => random.pick(shops).current()
  const gateway = createGateway({
    maxTriesPerCard: 1_000_000,
    publicUrl: BASE_URL,
    merchants: [{ login: LOGIN, controlKey, publicKey, endpoints: ENDPOINTS.map(endpoint) }],
    store: orders,
    clock,
    acquirer: { ...bank({ journal: book, random, troubles: TROUBLES }), tokenize: tokenizeCards(random) },
    sandbox: true,
    ids: idsBy(random),
    sendCallback: callbacks({ receiver: () => (isDeaf ? undefined : running()?.receive), clock, random, isCalm }),
  })
  const machines = 1 + random.below(2)
  const clockIsWrongBy = machines === 1 ? random.pick(CLOCK_IS_WRONG_BY) : 'seconds'
  const isTimeRight = clockIsWrongBy === 'seconds'
  const wire = network({ gateway, clock, random, troubled: random.below(40), isTimeRight })
  const wanted = scenarios(random, [{}, {}, ...ENDPOINTS.map((endpointId) => ({ endpointId }))])
  const merchant: Merchant = { baseUrl: BASE_URL, login: LOGIN, controlKey, privateKey, endpointId: ENDPOINTS[0] }
  const goOnWithAll = (journal: Journal<Effects>) => {
    for (const scenario of wanted) void goOn(scenario, { journal, random }).catch(requireClosed)
  }
  const shared = { merchant, wire, random, store, effects, events, isCalm, goOn: goOnWithAll }
  const settings = { repeatsGetFirstAnswer: random.below(2) === 0, newName: () => `n${++names}` }
  while (shops.length < machines) {
    shops.push(openShop({ ...shared, ...settings, clock: machineClock(clock, clockIsWrongBy, random) }))
  }
  return {
    random,
    clock,
    gateway,
    orders,
    book,
    wire,
    scenarios: wanted,
    isDeaf,
    clockIsWrongBy,
    store,
    effects,
    events,
    shops,
    running,
    goOn: goOnWithAll,
    inspector: createPaymentClient({ ...merchant, clock, transport: wire.direct, readAttempts: 1 }),
    calmDown: () => {
      isTroubled = false
      wire.mend()
    },
  }
}

/** A process that is closed drops its scenarios wherever they are: its journal pays nothing more. Another error is a finding. */
function requireClosed(error: unknown): void {
  if (!String(error).startsWith('Error: The journal was closed')) throw error
}

/** An endpoint that also sends callbacks of orders whose requests named no address. */
function endpoint(id: string) {
  return { id, notifyUrl: CALLBACK_URL }
}

/** Ids from the seed: what is due at the same time is taken in their order. */
function idsBy(random: Random): NonNullable<GatewayOptions['ids']> {
  let serials = 0
  return {
    orderId: () => random.digits(15),
    serialNumber: () => `serial-${++serials}`,
    pageToken: () => random.digits(22),
  }
}
