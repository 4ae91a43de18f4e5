/** Whatever becomes of the tables of a journal, no paid key is charged again, and no refund made again. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@tallystick/client'
import { createJournal, type Journal } from '@tallystick/journal'
import { counted, type Order, type Outcome, prove, type Random } from '@tallystick/proof-kit'
import { testDatabase } from '@tallystick/test-postgres'
import { cards, saleInput, startGateway } from '@tallystick/testing'
import { killableShop } from './lost-journal/killable-shop.ts'
import { isRefused, type Place, postgresPlace, sqlitePlace } from './lost-journal/places.ts'

/** How many customers and clerks are at work at once between two losses, and what each asks for one after the other. */
const CALLERS = 8
const ASKS_EACH = 3
/** The share of what was asked for before, of the last ones; and of refunds among the others. */
const ASKED_AGAIN_PERCENT = 55
const REMEMBERED = 24
const REFUNDS_PERCENT = 50
const DECLINED_PERCENT = 25
/** Of the lives, how many have their journal copied, end with a copy in its place, and end while they take orders over. */
const COPIED_PERCENT = 50
const RESTORED_PERCENT = 60
const TAKING_OVER_PERCENT = 25
const LONGEST_LIFE_MS = 300
/** The share of payments on PostgreSQL. */
const ON_POSTGRES = 0.1
const NAIVE_RUNS = 200
/** The parts in which a payment may be refunded: no sum of them is another. */
const PARTS = ['1.00', '3.00'] as const
const MONEY = { amount: '10.42', currency: 'USD' } as const
/** The journal's clock, so much faster; and the time between two lives: what a dead process was sending is free again. */
const FASTER = 8
const APART_MS = 20_000
let apartMs = 0
const FAST: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now() * FASTER + apartMs),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs / FASTER)
    return () => clearTimeout(timer)
  },
}

await prove({
  name: 'lost-journal',
  meaning:
    'A shop pays and refunds new and old business keys while its journal is lost at random moments: tables dropped by a tool,\n' +
    'the file or the database gone, an older copy in its place; some processes die while they take over what they find. The\n' +
    'gateway holds client order ids unique in one half and allows repeats in the other. No key may be charged or refunded\n' +
    'twice, and a journal whose tables are gone must say so. A shop that makes new ids each time must fail.',
  runs: { of: 'payments and refunds', long: 10_000, quick: 400 },
  run: halves,
})

/** To pay a key, or to refund a part of it. */
interface Ask {
  readonly key: string
  readonly part?: (typeof PARTS)[number]
}

async function halves({ runs, random, progress, folder, after }: Order): Promise<Outcome> {
  const database = await testDatabase()
  after(database.close)
  const onPostgres = Math.ceil((runs * ON_POSTGRES) / 2)
  const onSqlite = Math.ceil(runs / 2) - onPostgres
  const counts: Count[] = []
  const sum = (of: (count: Count) => number) => counts.reduce((all, count) => all + of(count), 0)
  for (const allowRepeats of [false, true]) {
    const file = join(folder, `repeats-${allowRepeats}.db`)
    counts.push(await lives(sqlitePlace(file), onSqlite, allowRepeats, random))
    counts.push(await lives(postgresPlace(database.url), onPostgres, allowRepeats, random))
    progress(counts.length, 4)
  }
  const naive = await lives(sqlitePlace(join(folder, 'naive.db')), NAIVE_RUNS, true, random, true)
  const findings = counts.flatMap((count) => [...count.doubled, ...count.findings])
  if (naive.doubled.length === 0) findings.push('the naive shop charged nobody twice: these losses prove nothing')
  return {
    figure:
      counted`${sum(({ payments }) => payments)} payments and refunds, ${sum(({ losses }) => losses)} losses, ` +
      counted`${sum(({ restored }) => restored)} of them by an older copy, ` +
      counted`${sum((count) => count.diedTakingOver)} while orders were taken over; ${sum(({ charged }) => charged)} ` +
      counted`keys charged, ${sum(({ refunded }) => refunded)} refunds: ${sum((count) => count.doubled.length)} twice ` +
      `(the naive shop: ${naive.doubled.length} of ${NAIVE_RUNS})`,
    findings,
  }
}

type Count = Awaited<ReturnType<typeof lives>>

/** @param isNaive whether the shop makes other ids after each loss, as one does whose ids are random */
async function lives(place: Place, payments: number, allowRepeats: boolean, random: Random, isNaive = false) {
  const gateway = await startGateway({ allowRepeats })
  /** Everything, in turn; how much of it before the last copy was made; and what a copy in place does not know: it is asked again. */
  const asked: Ask[] = []
  let askedBeforeCopy = 0
  let forgotten: Ask[] = []
  /** The order that was made last for each key, as the shop remembers it whatever becomes of its journal. */
  const orders = new Map<string, { readonly clientOrderId: string; readonly orderId: string }>()
  /** The key of each client order id, as the gateway was told. */
  const keyOf = new Map<string, string>()
  const findings: string[] = []
  let [paid, keys, losses, restored, diedTakingOver] = [0, 0, 0, 0, 0]
  const nextAsk = (): Ask => {
    if (asked.length > 0 && random.below(100) < ASKED_AGAIN_PERCENT) {
      return forgotten.pop() ?? random.pick(asked.slice(-REMEMBERED))
    }
    const known = [...orders.keys()].slice(-REMEMBERED)
    const isRefund = known.length > 0 && random.below(100) < REFUNDS_PERCENT
    return isRefund ? { key: random.pick(known), part: random.pick(PARTS) } : { key: `invoice ${++keys}` }
  }
  async function askFor(journal: Journal<unknown>, { key, part }: Ask): Promise<void> {
    const order = orders.get(key)
    if (part !== undefined && order !== undefined) {
      const input = { ...order, amount: part, currency: MONEY.currency, comment: 'a part' }
      await journal.pay(`${part} of ${key}`, 'return', input, { attempt: 'next' })
      return
    }
    const { intent } = await journal.pay(key, 'sale', saleOf(key, random), { attempt: 'next' })
    const { clientOrderId, orderId } = intent
    if (orderId !== undefined) orders.set(key, { clientOrderId, orderId })
  }
  while (paid < payments) {
    apartMs += APART_MS
    const dies = random.below(100) < TAKING_OVER_PERCENT
    const shop = killableShop((id, key) => keyOf.set(id, key), dies ? random : undefined)
    const client = gateway.client({ transport: shop.transport, readAttempts: 1 })
    const store = place.open()
    // In PostgreSQL the tables are made at the first use: what was never made is no loss.
    await store.counts()
    const orderIdKey = isNaive ? `a key of life ${losses}, no other` : undefined
    const journal = createJournal({
      client,
      store: shop.storeOf(store),
      clock: FAST,
      onEvent: () => {},
      ...(orderIdKey && { orderIdKey }),
    })
    await decideReviews(journal, await gateway.orders())
    journal.start()
    const work = Array.from({ length: CALLERS }, async () => {
      for (let asks = 0; asks < ASKS_EACH; asks++) {
        paid++
        const ask = nextAsk()
        asked.push(ask)
        await unlessLost(() => askFor(journal, ask))
      }
    })
    const all = Promise.all(work)
    const lifeMs = random.below(LONGEST_LIFE_MS)
    const copy = async () => {
      await pause(random.below(lifeMs / 2 + 1))
      askedBeforeCopy = asked.length
      await place.copy()
    }
    const copied = random.below(100) < COPIED_PERCENT ? copy() : undefined
    const isKilled = random.below(2) === 0
    await Promise.race([all, pause(lifeMs)])
    await copied
    if (isKilled) shop.die()
    // Only a naive shop whose copy is new enough would charge nobody twice.
    const isRestored = !isNaive && random.below(100) < RESTORED_PERCENT
    const loss = random.pick(Object.keys(place.losses))
    if (!isRestored) await place.losses[loss]?.()
    losses++
    // A dead process is waited for as little as its requests: those that it sent arrive.
    if (!isKilled) await all
    await shop.arrived()
    await journal.close().catch(() => {})
    await gateway.settled()
    if (isRestored && (await place.restore())) {
      restored++
      forgotten = asked.slice(askedBeforeCopy)
    }
    if (shop.diedTakingOver()) diedTakingOver++
    if (!isRestored && place.refuses(loss)) {
      if (!(await isRefused(place))) findings.push(`life ${losses}: ${loss}, and the journal began anew without a word`)
      await place.begin()
    }
  }
  const told = judged(await gateway.orders(), keyOf, `allowRepeats ${allowRepeats}`)
  await gateway.close()
  return { losses, restored, diedTakingOver, payments: paid, ...told, findings }
}

type Orders = Awaited<ReturnType<Awaited<ReturnType<typeof startGateway>>['orders']>>

/** What was charged and refunded, and what of it twice. */
function judged(orders: Orders, keyOf: ReadonlyMap<string, string>, where: string) {
  const approved = Map.groupBy(
    orders.filter(({ operations: [sale] }) => sale?.status === 'approved'),
    ({ clientOrderId }) => keyOf.get(clientOrderId) ?? 'nobody',
  )
  const doubled: string[] = []
  let refunded = 0
  for (const [key, own] of approved) {
    if (own.length > 1) doubled.push(`${key} was charged ${own.length} times, ${where}`)
    const parts = own.flatMap(refundsOf)
    refunded += parts.length
    if (new Set(parts).size < parts.length) doubled.push(`${key} was refunded by ${parts.join(' and ')}, ${where}`)
  }
  return { charged: approved.size, refunded, doubled }
}

function refundsOf({ operations }: Orders[number]): readonly string[] {
  return operations.slice(1).flatMap(({ status, amount }) => (status === 'approved' ? [String(amount)] : []))
}

/** A person who sees at the gateway which refunds it has. */
async function decideReviews(journal: Journal<unknown>, orders: Orders): Promise<void> {
  for (const { intentId, operation, orderId, amounts } of (await journal.report()).review) {
    if (operation !== 'return') continue
    const refunds = orders.filter((order) => order.orderId === orderId).flatMap(refundsOf)
    const isMade = refunds.some((amount) => amount.replace('.', '') === amounts[0])
    await unlessLost(() => journal.resolveReview(intentId, isMade ? 'take-status' : 'nothing-charged', 'looked it up'))
  }
}

/** A call may fail with the store: then nothing was sent, or the gateway has it. */
async function unlessLost(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch {
    // The store is gone, or closed.
  }
}

function saleOf(orderDesc: string, random: Random) {
  const card = random.below(100) < DECLINED_PERCENT ? cards.insufficientFunds : {}
  const { clientOrderId: _, ...sale } = saleInput({ orderDesc, ...MONEY, ...card })
  return sale
}
