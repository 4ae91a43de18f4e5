import { createPaymentClient } from '@tallystick/client'
import { createGateway, type GatewayOptions, memoryStore } from '@tallystick/gateway'
import { type Journal, type JournalEvent, memoryJournalStore } from '@tallystick/journal'
import { Random } from '@tallystick/proof-kit'
import { bank, type Entry, tokenizeCards } from '../harness/bank.ts'
import { machineClock, simClock, type WrongBy } from './clocks.ts'
import type { Effects } from './killable.ts'
import { CALLBACK_URL, goOn, scenarios } from './merchant.ts'
import { callbacks, network } from './network.ts'
import { type Merchant, openShop, type Shop } from './shop.ts'

export const LOGIN = 'sim-merchant'
const ENDPOINTS = ['253', '254'] as const
const BASE_URL = 'http://localhost/paynet'
/** How wrong the clock of a single machine may be. */
const CLOCK_IS_WRONG_BY: readonly WrongBy[] = ['seconds', 'seconds', 'minutes', 'hours']
const TROUBLES = { notReached: 2, answerLost: 3, declined: 10 }

export interface Keys {
  readonly controlKey: string
  readonly privateKey: string
  readonly publicKey: string
}

export type World = ReturnType<typeof worldOf>

/** A shop on one machine or two, a network, the real gateway and a bank, on one virtual clock. */
export function worldOf(seed: number, { controlKey, privateKey, publicKey }: Keys) {
  const random = new Random(seed)
  // The product's own random numbers, such as for its waits, come from the seed as well.
  Math.random = () => random.below(2 ** 32) / 2 ** 32
  const clock = simClock()
  const [book, effects, events, shops]: [Entry[], Effects, JournalEvent[], Shop[]] = [[], [], [], []]
  const [orders, store] = [memoryStore(), memoryJournalStore()]
  let isTroubled = true
  let names = 0
  const isCalm = () => !isTroubled
  // Whether no callback ever comes, because the merchant's address is wrong.
  const isDeaf = random.below(4) === 0
  /** A process on one of the machines, if one runs there just now. */
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
    /** Reads from the gateway directly, whatever the network is like. */
    inspector: createPaymentClient({ ...merchant, clock, transport: wire.direct, readAttempts: 1 }),
    /** From now on everything arrives, and handlers do not fail. */
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
