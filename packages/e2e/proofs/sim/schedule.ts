import { createCallbackHandler, createPaymentClient, type Handler } from '@tallystick/client'
import { createGateway, type GatewayOptions, memoryStore } from '@tallystick/gateway'
import { createJournal, type Journal, memoryJournalStore } from '@tallystick/journal'
import { Random } from '../../../../scripts/proof/random.ts'
import { bank, prepareCards } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'
import { judge } from './judge.ts'
import { errands, goOn } from './merchant.ts'
import { type Effects, type Life, life, mortalClock, mortalStore, mortalTransport } from './mortal.ts'
import { network } from './network.ts'
import { simClock } from './sim-clock.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const LOGIN = 'sim-merchant'
const ENDPOINT = '253'
const BASE_URL = 'http://localhost/paynet'
const MOST_CRASHES = 2
/** A process dies within so many of its awaits. */
const DIES_WITHIN = 60
/** The network is troubled for so long, then everything arrives for as long as it takes. */
const TROUBLED_STEPS = 4
const CALM_STEPS = 12

export interface ScheduleResult {
  readonly findings: readonly string[]
  readonly mishaps: number
  readonly crashes: number
  readonly attempts: number
}

/** One schedule from its seed: a shop, a network, the real gateway, a bank, in one process on one virtual clock. */
export async function runSchedule(seed: number, controlKey: string): Promise<ScheduleResult> {
  const random = new Random(seed)
  // What the product draws by itself, such as how long it waits, is of the seed too.
  Math.random = () => random.below(2 ** 32) / 2 ** 32
  const clock = simClock()
  const book: Entry[] = []
  const orders = memoryStore()
  const troubles = { notReached: 2, answerLost: 3, declined: 10 }
  let receive: Handler | undefined
  const gateway = createGateway({
    publicUrl: BASE_URL,
    merchants: [{ login: LOGIN, controlKey, endpoints: [{ id: ENDPOINT }] }],
    store: orders,
    clock,
    acquirer: { ...bank({ journal: book, random, troubles }), prepare: prepareCards(random) },
    sandbox: true,
    ids: idsBy(random),
    sendCallback: (url) => callback(url),
  })
  const wire = network({ gateway, clock, random, troubled: random.below(40) })
  const durable = memoryJournalStore()
  const effects: Effects = []
  const wanted = errands(random)
  let names = 0
  let crashes = 0
  let current: Journal<Effects> | undefined

  /** Callbacks come late, twice, or not at all: then the gateway sends them again. */
  async function callback(url: string): Promise<{ readonly status: number }> {
    const fate = random.below(10)
    if (fate < 2 || receive === undefined) return { status: 503 }
    const inbound = { method: 'GET', query: new URL(url).search.slice(1) }
    const handle = receive
    if (fate === 2) {
      clock.schedule(random.below(10 * MINUTE), async () => void (await (receive ?? handle)(inbound)))
      return { status: 503 }
    }
    if (fate === 3) handle(inbound).catch(() => {})
    // Who is dead never answers: the gateway gives up.
    return await Promise.race([handle(inbound), after(15 * SECOND, { status: 504 })])
  }

  function after<Result>(delayMs: number, result: Result): Promise<Result> {
    return new Promise((resolve) => {
      clock.schedule(delayMs, () => resolve(result))
    })
  }

  function startProcess(): void {
    const isMortal = crashes < MOST_CRASHES && random.below(3) > 0
    const own: Life = life(isMortal ? 1 + random.below(DIES_WITHIN) : undefined, random, () => {
      crashes++
      receive = undefined
      current = undefined
      clock.schedule(random.below(2 * MINUTE), startProcess)
    })
    const merchant = { baseUrl: BASE_URL, login: LOGIN, controlKey, endpointId: ENDPOINT }
    const transport = mortalTransport(wire.transport, own)
    const ownClock = mortalClock(clock, own)
    const client = createPaymentClient({
      ...merchant,
      transport,
      clock: ownClock,
      readAttempts: 1,
      timeoutMs: 20 * SECOND,
    })
    const journal = createJournal<Effects>({
      client,
      store: mortalStore(durable, effects, own),
      clock: ownClock,
      deadlineMs: 20 * SECOND,
      pollMs: 10 * MINUTE,
      fraction: () => random.below(1000) / 1000,
      newName: () => `n${++names}`,
      // Handlers that fail are part of it.
      onEvent: () => {},
      handler: ({ outcome, transaction }) => {
        if (!wireIsCalm && random.below(10) === 0) throw new Error('The handler fails')
        if (outcome.kind === 'outcome') transaction.push(outcome.intentId)
      },
    })
    receive = createCallbackHandler({ client, inbox: journal.inbox })
    current = journal
    journal.start()
    for (const errand of wanted)
      ownClock.schedule(random.below(5 * SECOND), () => void goOn(errand, journal).catch(() => {}))
  }

  let wireIsCalm = false
  startProcess()
  for (let step = 0; step < TROUBLED_STEPS + CALM_STEPS; step++) {
    if (step === TROUBLED_STEPS) {
      wireIsCalm = true
      wire.mend()
    }
    await clock.advance(step < TROUBLED_STEPS ? random.below(2 * MINUTE) : 3 * MINUTE)
    const alive = current
    // The merchant asks again how it stands, as a shop does.
    if (alive !== undefined) for (const errand of wanted) void goOn(errand, alive).catch(() => {})
    await clock.advance(1)
  }
  await clock.advance(5 * MINUTE)
  await gateway.settled()
  const orderIdOf = async (clientOrderId: string) => (await orders.findOrder({ login: LOGIN, clientOrderId }))?.orderId
  const hasOrders = (await orders.recentOrders(LOGIN, 1)).length > 0
  const findings = await judge({ errands: wanted, store: durable, book, effects, hasOrders, orderIdOf })
  const counts = await durable.counts()
  const attempts = Object.values(counts).reduce((sum, some) => sum + some, 0)
  return { findings, mishaps: wire.mishaps(), crashes, attempts }
}

/** Ids of the seed: what is due at the same time is taken in their order. */
function idsBy(random: Random): NonNullable<GatewayOptions['ids']> {
  let serials = 0
  return {
    orderId: () => random.digits(15),
    serialNumber: () => `serial-${++serials}`,
    pageToken: () => random.digits(22),
  }
}
