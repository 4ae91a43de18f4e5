/**
 * A shop whose journal is lost again and again: its tables, its file, its schema or its database.
 *
 *     pnpm prove lost-journal [--quick] [--runs n] [--seed n]
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, type Transport, undiciTransport } from '@tallystick/client'
import { createJournal, type PayResult } from '@tallystick/journal'
import { testDatabase } from '@tallystick/test-postgres'
import { cards, saleInput, startGateway } from '@tallystick/testing'
import { inFolder } from '../../../scripts/proof/in-folder.ts'
import type { Order, Outcome } from '../../../scripts/proof/proof.ts'
import { prove } from '../../../scripts/proof/prove.ts'
import type { Random } from '../../../scripts/proof/random.ts'
import { withCommas } from '../../../scripts/proof/with-commas.ts'
import { isRefused, type Place, postgresPlace, sqlitePlace } from './lost-journal/places.ts'

/** How many customers pay at once between two losses, each one key after the other. */
const CUSTOMERS = 12
const KEYS_EACH = 4
/** How many of the last keys are paid again. */
const REMEMBERED = 60
const PAID_AGAIN_PERCENT = 60
const DECLINED_PERCENT = 15
const LONGEST_LIFE_MS = 300
/** The share of payments on PostgreSQL. */
const ON_POSTGRES = 0.1
const NAIVE_RUNS = 300
/** The journal's clock, so much faster: a call waits for seconds for what a process was sending that is gone. */
const FASTER = 8
const FAST: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now() * FASTER),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs / FASTER)
    return () => clearTimeout(timer)
  },
}

await prove({
  name: 'lost-journal',
  meaning:
    'A shop pays new and old business keys while its journal is lost at random moments: tables dropped by a tool, the file or\n' +
    'the database gone. The gateway holds client order ids unique in one half and allows repeats in the other. No key may be\n' +
    'charged twice, and a journal whose tables are gone must say so. A shop that makes new ids each time must fail.',
  runs: { of: 'payments', long: 10_000, quick: 400 },
  run: (order) => inFolder('lost-journal', (folder) => halves(order, folder)),
})

interface Half {
  readonly payments: number
  readonly allowRepeats: boolean
  readonly place: Place
  /** Whether the shop makes other ids after each loss, as one does whose ids are random. */
  readonly isNaive?: boolean
}

interface Count {
  readonly losses: number
  readonly payments: number
  readonly charged: number
  readonly doubled: readonly string[]
  readonly findings: readonly string[]
}

async function halves({ runs, random, progress }: Order, folder: string): Promise<Outcome> {
  const database = await testDatabase()
  const onPostgres = Math.ceil((runs * ON_POSTGRES) / 2)
  const onSqlite = Math.ceil(runs / 2) - onPostgres
  const counts: Count[] = []
  try {
    for (const allowRepeats of [false, true]) {
      const file = join(folder, `repeats-${allowRepeats}.db`)
      counts.push(await lives({ payments: onSqlite, allowRepeats, place: sqlitePlace(file) }, random))
      progress(
        counts.reduce((sum, { payments }) => sum + payments, 0),
        runs,
      )
      counts.push(await lives({ payments: onPostgres, allowRepeats, place: postgresPlace(database.url) }, random))
    }
    const naive = {
      payments: NAIVE_RUNS,
      allowRepeats: true,
      place: sqlitePlace(join(folder, 'naive.db')),
      isNaive: true,
    }
    const { doubled } = await lives(naive, random)
    const sum = (of: (count: Count) => number) => withCommas(counts.reduce((all, count) => all + of(count), 0))
    const findings = counts.flatMap((count) => [...count.doubled, ...count.findings])
    if (doubled.length === 0) findings.push('the naive shop charged nobody twice: these losses prove nothing')
    return {
      ok: findings.length === 0,
      figure:
        `${sum(({ payments }) => payments)} payments, ${sum(({ losses }) => losses)} losses, ` +
        `${sum(({ charged }) => charged)} keys charged: ${sum((count) => count.doubled.length)} twice ` +
        `(the naive shop: ${doubled.length} of ${NAIVE_RUNS} payments)`,
      findings,
    }
  } finally {
    await database.close()
  }
}

async function lives({ payments, allowRepeats, place, isNaive = false }: Half, random: Random): Promise<Count> {
  const gateway = await startGateway({ allowRepeats })
  const keys: string[] = []
  /** The key of each client order id, as the gateway was told. */
  const keyOf = new Map<string, string>()
  const findings: string[] = []
  let [paid, losses] = [0, 0]
  const nextKey = () => {
    if (keys.length > 0 && random.below(100) < PAID_AGAIN_PERCENT) return random.pick(keys.slice(-REMEMBERED))
    const key = `invoice ${keys.length + 1}`
    keys.push(key)
    return key
  }
  while (paid < payments) {
    const shop = mortalTransport(keyOf)
    const client = gateway.client({ transport: shop.transport, readAttempts: 1 })
    const store = place.open()
    // In PostgreSQL the tables are made at the first use: what was never made is no loss.
    await store.counts()
    const orderIdKey = isNaive ? `a key of life ${losses}, no other` : undefined
    const journal = createJournal({
      client,
      store,
      clock: FAST,
      onEvent: () => {},
      ...(orderIdKey && { orderIdKey }),
    })
    const customers = Array.from({ length: CUSTOMERS }, () => Array.from({ length: KEYS_EACH }, nextKey))
    const work = customers.map(async (own) => {
      for (const key of own) {
        paid++
        await payOnce(() => journal.pay(key, 'sale', saleOf(key, random), { attempt: 'next' }))
      }
    })
    const loss = random.pick(Object.keys(place.losses))
    const isKilled = random.below(2) === 0
    const all = Promise.all(work)
    await Promise.race([all, pause(random.below(LONGEST_LIFE_MS))])
    if (isKilled) shop.die()
    await place.losses[loss]?.()
    losses++
    // A dead process is waited for as little as its requests: those that it sent arrive.
    if (!isKilled) await all
    await shop.arrived()
    await journal.close().catch(() => {})
    await gateway.settled()
    if (place.refuses(loss)) {
      if (!(await isRefused(place))) findings.push(`life ${losses}: ${loss}, and the journal began anew without a word`)
      await place.begin()
    }
  }
  const approved = Map.groupBy(
    (await gateway.orders()).filter(({ status }) => status === 'approved'),
    ({ clientOrderId }) => keyOf.get(clientOrderId) ?? 'nobody',
  )
  const doubled = [...approved]
    .filter(([, orders]) => orders.length > 1)
    .map(([key, orders]) => `${key} was charged ${orders.length} times, allowRepeats ${allowRepeats}`)
  await gateway.close()
  return { losses, payments: paid, charged: approved.size, doubled, findings }
}

/** A payment may fail with the store: then nothing was sent, or the gateway has it. */
async function payOnce(pay: () => Promise<PayResult<'sale'>>): Promise<void> {
  try {
    await pay()
  } catch {
    // The store is gone, or closed.
  }
}

function saleOf(orderDesc: string, random: Random) {
  const card = random.below(100) < DECLINED_PERCENT ? cards.insufficientFunds : {}
  const { clientOrderId: _, ...sale } = saleInput({ orderDesc, ...card })
  return sale
}

/** The way to the gateway of a process that may be killed: what it has sent arrives, and it learns nothing of it. */
function mortalTransport(keyOf: Map<string, string>) {
  const inner = undiciTransport()
  const underWay = new Set<Promise<unknown>>()
  let isDead = false
  const gone = { kind: 'lost', seen: 'the process was killed' } as const
  const transport: Transport = {
    send: async (request, options) => {
      if (isDead) return { kind: 'not-sent', seen: 'the process was killed' }
      const form = new URLSearchParams(request.body)
      const key = form.get('order_desc')
      if (key !== null) keyOf.set(form.get('client_orderid') ?? '', key)
      const sent = inner.send(request, options)
      underWay.add(sent)
      const exchange = await sent.finally(() => underWay.delete(sent))
      return isDead ? gone : exchange
    },
    close: () => inner.close(),
  }
  return {
    transport,
    die: () => {
      isDead = true
    },
    arrived: async () => void (await Promise.allSettled(underWay)),
  }
}
