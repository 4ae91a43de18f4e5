import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import { RejectedError } from '@tallystick/core'
import { type Order, Random } from '@tallystick/proof-kit'
import { cards } from '@tallystick/testing'
import { bank, type Entry } from '../harness/bank.ts'
import { newCredentials, startGatewayProcess } from '../harness/processes.ts'
import { AMOUNT, ENDPOINTS, type PlannedSchedule, textOf } from './plan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The clock is moved by at most this many hours at once. */
const MOST_HOURS = 48
/** Once in this many times, the clock is set back before that. */
const SET_BACK = 80
/**
 * The least number of statements between two disk failures: a claim of 256 tasks has to fit in, or nothing would ever be done.
 */
const GAP = 1000
/** About how many statements a process executes for each charge. */
const STATEMENTS = 40
/** How long after a call a process dies, at most. */
const LONGEST_MS = 30
/** One in this many dies while it takes up what the last one left. */
const EARLY = 6
const EARLY_CALLS = 20

/** How a process of the gateway ends: by SIGKILL, with few exceptions. */
type Death =
  /** Before it executes that statement. */
  | { readonly at: 'statement'; readonly number: number }
  /** With that call of the bank, or that callback, on its way: it arrives, or is lost. */
  | { readonly at: 'call' | 'callback'; readonly number: number; readonly arrives: boolean }
  /** This long after that call of the bank, wherever it is by then. */
  | { readonly at: 'moment'; readonly number: number; readonly laterMs: number }
  /** After that call, when nothing is left to do. */
  | { readonly at: 'rest'; readonly number: number; readonly inPeace: boolean }

/** @param share charges that a process makes, on average */
function randomDeath(random: Random, share: number): Death {
  const number = 1 + random.below(random.below(EARLY) === 0 ? Math.min(EARLY_CALLS, 2 * share) : 2 * share)
  const luck = random.below(100)
  if (luck < 30) return { at: 'statement', number: 1 + random.below(STATEMENTS * number) }
  if (luck < 70) return { at: luck < 55 ? 'call' : 'callback', number, arrives: random.below(2) === 0 }
  if (luck < 90) return { at: 'moment', number, laterMs: random.below(LONGEST_MS) }
  return { at: 'rest', number, inPeace: luck < 95 }
}

/** What a callback said about an order. */
export interface Heard {
  readonly orderId: string
  readonly status: string
}

/** What the interface shows of an order: nothing if it knows none. */
export interface ToldOrder {
  readonly clientOrderId: string
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly recurringPaymentId?: string | undefined
}

interface PlannedLife {
  /** The time of its clock at its start. */
  readonly now: number
  /** Absent: it is not disturbed. */
  readonly death?: Death
  readonly failsEvery?: number | undefined
}

/** A gateway in its own process, which dies as planned. */
type Living = ReturnType<World['start']>

export type World = ReturnType<typeof worldIn>

/** What outlives every process of the gateway: the bank and its journal, the merchant and the callbacks that came. */
export function worldIn({ folder, seed }: Order) {
  const { merchant, privateKey, gateway } = newCredentials()
  const [journal, complaints]: [Entry[], string[]] = [[], []]
  /** The callbacks of each order, by client order id. */
  const heard = new Map<string, readonly Heard[]>()
  const happened = { kills: 0, setBacks: 0, failures: 0 }
  const lasting = bank({ journal, random: new Random(seed) })
  const endpoints = ENDPOINTS.map(({ id, charges }) => ({ id, charges }))
  const file = join(folder, 'gateway.db')
  let processes = 0

  function start({ now: begin, death, failsEvery }: PlannedLife) {
    const counts = { call: 0, callback: 0 }
    let [now, isDead] = [begin, false]

    /** What has left the process arrives, whether or not it lives on. At the planned death nothing is answered. */
    async function deliver<Result>(what: 'call' | 'callback', work: () => Promise<Result>): Promise<Result> {
      const number = ++counts[what]
      const dies = death?.at === what && death.number === number
      if (dies) void living.kill()
      if (death?.at === 'moment' && what === 'call' && death.number === number)
        void pause(death.laterMs).then(living.kill)
      const result = dies && !death.arrives ? undefined : work()
      return dies || result === undefined ? await new Promise(() => {}) : await result
    }

    const killedAtStatement = death?.at === 'statement' ? death.number : undefined
    const store = { file, killedAtStatement, failsEvery }
    const settings = { ...gateway, endpoints, store, clock: { now }, seed: seed + ++processes }
    const living = startGatewayProcess(settings, join(folder, 'compiled'), {
      execute: (request) => deliver('call', () => lasting.execute(request)),
      authenticate: (request, result) => deliver('call', () => lasting.authenticate(request, result)),
      lookup: (request) => deliver('call', () => lasting.lookup(request)),
      callback: (url) => deliver('callback', async () => hear(url, heard)),
      clockWentOn: (next) => {
        now = next
      },
      diskFailed: () => {
        happened.failures += 1
      },
    })
    void living.ended.then(() => {
      isDead = true
    })
    const clock = { now: () => now, schedule: () => () => {} }
    return {
      ...living,
      /** The time of its clock, now or when it died. */
      now: () => now,
      /** How often it has called the bank. */
      calls: () => counts.call,
      isDead: () => isDead,
      /** Does something as the merchant, at the endpoint of a schedule. */
      asMerchant: async <Result>({ endpoint: { id } }: PlannedSchedule, work: (client: PaymentClient) => Result) => {
        const baseUrl = await living.listening()
        const client = createPaymentClient({ ...merchant, endpointId: id, privateKey, clock, baseUrl })
        try {
          return await work(client)
        } finally {
          await client.close()
        }
      },
    }
  }
  return { file, journal, heard, happened, complaints, start }
}

function hear(url: string, heard: Map<string, readonly Heard[]>): void {
  const { searchParams } = new URL(url)
  const told = (name: string) => searchParams.get(name) ?? ''
  const clientOrderId = told('client_orderid')
  const before = heard.get(clientOrderId) ?? []
  heard.set(clientOrderId, [...before, { orderId: told('orderid'), status: told('status') }])
}

interface Terms {
  readonly random: Random
  /** Charges that a process makes, on average. */
  readonly share: number
  readonly now: number
  readonly until: number
}

/**
 * Runs one process: its clock goes on until it is killed. Its disk may fail now and then, and its clock may be set back by an
 * hour while it runs. Gives the time at which the next process starts: at once, an hour earlier by the clock, or after a time in
 * which none ran.
 */
export async function liveOn(world: World, { random, share, now, until }: Terms): Promise<number> {
  const { happened } = world
  const death = randomDeath(random, share)
  const failsEvery = random.below(4) === 0 ? GAP + random.below(STATEMENTS * share) : undefined
  const living = world.start({ now, death, failsEvery })
  const isAtRest = () => death.at === 'rest' && living.calls() >= death.number
  while (!living.isDead() && living.now() < until && !isAtRest()) {
    const isSetBack = random.below(SET_BACK) === 0
    if (isSetBack) happened.setBacks += 1
    await living.call('liveThrough', 1 + random.below(MOST_HOURS), isSetBack ? HOUR : 0)
  }
  const endsInPeace = death.at !== 'rest' || death.inPeace
  await end(world, living, endsInPeace ? living.stop : living.kill)
  return living.now() + pauseOf(random, world)
}

/** Notes how a process ended, and its error output, which may only be about its disk. */
async function end({ happened, complaints }: World, living: Living, how: Living['stop']): Promise<void> {
  await how()
  if (await living.ended) happened.kills += 1
  complaints.push(...living.complaints())
}

function pauseOf(random: Random, { happened }: World): number {
  const luck = random.below(10)
  if (luck < 3) happened.setBacks += 1
  if (luck < 3) return -HOUR
  if (luck < 7) return 0
  return luck < 9 ? random.below(3 * DAY) : random.below(70 * DAY)
}

/** The merchant creates schedules over the interface. Gives them by the ids of their recurring payments. */
export async function createAll(world: World, now: number, schedules: readonly PlannedSchedule[]) {
  const living = world.start({ now })
  const created = new Map<string, PlannedSchedule>()
  for (const schedule of schedules) {
    created.set(await living.asMerchant(schedule, (client) => create(schedule, client)), schedule)
  }
  await end(world, living, living.stop)
  return created
}

/** A last undisturbed process, until everything due is done; then the merchant asks it for the status of some orders. */
export async function liveOut(
  world: World,
  { now, until }: Pick<Terms, 'now' | 'until'>,
  orders: readonly { readonly clientOrderId: string; readonly schedule: PlannedSchedule }[],
): Promise<readonly ToldOrder[]> {
  const living = world.start({ now })
  await living.call('liveThrough', Math.ceil(Math.max(0, until - now) / HOUR), 0)
  const told: ToldOrder[] = []
  for (const { clientOrderId, schedule } of orders) {
    told.push(await living.asMerchant(schedule, (client) => statusOf(clientOrderId, client)))
  }
  await end(world, living, living.stop)
  return told
}

async function create(schedule: PlannedSchedule, client: PaymentClient): Promise<string> {
  const { cardType, period, interval, start, finish } = schedule
  const result = await client.createRecurringPayment({
    recurringCardType: cardType,
    clientOrderId: `r${crypto.randomUUID().replaceAll('-', '')}z`,
    ...cards.approved,
    amount: AMOUNT.major,
    currency: AMOUNT.currency,
    period,
    interval,
    startDate: textOf(start),
    finishDate: textOf(finish),
    serverCallbackUrl: 'https://shop.example.com/callback',
  })
  if (result.outcome !== 'accepted') throw new Error(`A schedule was not created: ${result.outcome}`)
  return result.reply.recurringPaymentId
}

async function statusOf(clientOrderId: string, client: PaymentClient): Promise<ToldOrder> {
  try {
    const { orderId, status, recurringPaymentId } = await client.status({ clientOrderId })
    return { clientOrderId, orderId, status, recurringPaymentId }
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error
    return { clientOrderId }
  }
}
