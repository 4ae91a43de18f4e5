import { join } from 'node:path'
import { setTimeout as pause, setImmediate as turnOfLoop } from 'node:timers/promises'
import type { PaymentClient } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { type BusinessKey, type JournalEvent, type JournalInput, readRebillKey } from '@tallystick/journal'
import { Random } from '@tallystick/proof-kit'
import { testDatabase } from '@tallystick/test-postgres'
import { buildInput, fakeClock, saleInput, startGateway } from '@tallystick/testing'
import { type Place, postgresPlace, type ShopTransaction, sqlitePlace } from './places.ts'
import { type Naive, type ShopProcess, shopProcess, type World } from './shop.ts'

const MOST_CLERKS = 4
const MOST_KEYS = 4
const ROLLED_BACK_PERCENT = 30
const HUNG_UP_PERCENT = 8
const UNHEARD_COMMIT_PERCENT = 12
/** Of the committed ones, how many are paid at once by the clerk; and how often any process pays what it sees in the orders. */
const PAID_AT_ONCE_PERCENT = 45
const PAID_BY_ANOTHER_PERCENT = 30
const CLOCK_STEPS_S = [1, 5, 20, 61, 61, 130]
const MOST_ROUNDS = 60
const IDLE_MS = 5
const MONEY = { amount: '10.42', currency: 'USD' } as const
const NOTHING: Seen = { arrivals: 0, paid: [], reported: false }
const TOLD_IN_DOUBT: ReadonlySet<Intent['state']> = new Set(['PRESUMED_ABSENT', 'REVIEW'])
const ENDED = 'the process that was sending it ended'
let keys = 0

/** What a batch has shown. */
export interface Counts {
  interleavings: number
  deaths: number
  rolledBack: number
  committed: number
  sentByJournal: number
  waiting: number
  inDoubt: number
  readonly findings: string[]
  readonly naive: Naive | undefined
}

/** Interleavings that see one gateway and one database. */
export interface Batch {
  readonly runs: number
  readonly folder: string
  readonly seed: number
  readonly where: Place['name']
  readonly naive?: Naive
}

export async function batch({ where, runs, folder, seed, naive }: Batch): Promise<Counts> {
  const random = new Random(seed)
  const database = where === 'PostgreSQL' ? await testDatabase() : undefined
  const place = database ? await postgresPlace(database.url) : sqlitePlace(join(folder, `shop-${seed}.db`))
  const gateway = await startGateway({ socket: false, clock: fakeClock() })
  const client = gateway.client()
  const counts: Counts = {
    interleavings: 0,
    deaths: 0,
    rolledBack: 0,
    committed: 0,
    sentByJournal: 0,
    waiting: 0,
    inDoubt: 0,
    findings: [],
    naive,
  }
  const stores = [place.open(), place.open(), place.open()]
  try {
    for (; counts.interleavings < runs; counts.interleavings++) {
      await interleaving({ gateway, client, place, stores, random, naive, counts })
    }
  } finally {
    await place.close()
    await gateway.close()
    await database?.close()
  }
  return counts
}

interface Among extends Pick<World, 'gateway' | 'place' | 'random' | 'naive'> {
  readonly client: PaymentClient
  readonly stores: readonly ReturnType<Place['open']>[]
  readonly counts: Counts
}

/** A request that a clerk prepares. */
interface Ask {
  /** Its business key, as the shop's order and the intent have it. */
  readonly name: string
  readonly needsCard: boolean
  prepare(shop: ShopProcess, transaction: Parameters<Place['note']>[0]): ReturnType<ShopProcess['journal']['prepare']>
  pay(shop: ShopProcess): Promise<{ readonly outcome: string }>
}

/** What an outsider saw of a key. */
interface Seen {
  arrivals: number
  /** How the callers' calls of `pay` ended; `dead`: its process died in it. */
  readonly paid: string[]
  reported: boolean
}

async function interleaving({ gateway, client, place, stores, random, naive, counts }: Among): Promise<void> {
  const where = `${place.name}, interleaving ${counts.interleavings}`
  const asks = await Promise.all(
    Array.from({ length: 1 + random.below(MOST_KEYS) }, () => newAsk(gateway, client, random)),
  )
  const seen = new Map<string, Seen>(asks.map(({ ask }) => [ask.name, { arrivals: 0, paid: [], reported: false }]))
  const nameOfOrder = new Map(asks.map(({ ask, orderId }) => [orderId, ask.name]))
  const world: World = {
    gateway,
    place,
    random,
    naive,
    onArrival: (form) => {
      const own = seen.get(nameOfOrder.get(form.get('orderid') ?? '') ?? form.get('order_desc') ?? '')
      if (own !== undefined) own.arrivals++
    },
    onEvent: (event) => hear(event, seen),
    onDeath: () => void counts.deaths++,
  }
  const processes = stores.map((store) => shopProcess(world, store))
  const someProcess = () => {
    const at = random.below(processes.length)
    // Another one is started in the place of a dead one.
    if (processes[at]?.life.isOver()) processes[at] = shopProcess(world, random.pick(stores))
    return processes[at] ?? shopProcess(world, random.pick(stores))
  }
  const pay = async (shop: ShopProcess, { name, pay: call }: Ask) => {
    const result = await shop.lives(() => call(shop))
    seen.get(name)?.paid.push(result?.outcome ?? 'dead')
  }

  async function clerk(turn: Turn): Promise<void> {
    for (const { ask } of random.shuffle(asks).slice(0, 1 + random.below(asks.length))) {
      const shop = someProcess()
      if (!(await prepareAndEnd(ask, shop, turn))) continue
      await turn()
      if (random.below(100) < PAID_AT_ONCE_PERCENT) await pay(shop, ask)
    }
  }

  /** Gives whether the clerk has seen its commit. */
  async function prepareAndEnd(ask: Ask, shop: ShopProcess, turn: Turn): Promise<boolean> {
    await turn()
    let transaction = await place.begin()
    for (; transaction === undefined; transaction = await place.begin()) await turn()
    const { of, order, commit, rollback, hangUp } = transaction
    await order(ask.name)
    await turn()
    const prepared = await shop.lives(() => ask.prepare(shop, of))
    await turn()
    const isDead = shop.life.isOver() || prepared === undefined
    const end = isDead ? hangUp : prepared.ok ? endOf(transaction, random) : rollback
    await end()
    return end === commit
  }

  /** A process that works in the background, and pays what it finds in the shop's own orders. */
  async function worker(turn: Turn): Promise<void> {
    for (let works = 2 + random.below(4); works > 0; works--) {
      await turn()
      const shop = someProcess()
      if (random.below(100) < PAID_BY_ANOTHER_PERCENT) {
        const found = new Set(await place.committed())
        const payable = asks.filter(({ ask }) => found.has(ask.name))
        if (payable.length > 0) await pay(shop, random.pick(payable).ask)
      } else await shop.lives(() => shop.journal.reconcile())
    }
  }

  async function time(turn: Turn): Promise<void> {
    for (let steps = 2 + random.below(5); steps > 0; steps--) {
      await turn()
      await gateway.clock.advance(`${random.pick(CLOCK_STEPS_S)}s`)
    }
  }

  const clerks = Array.from({ length: 1 + random.below(MOST_CLERKS) }, () => clerk)
  await inRandomOrder([...clerks, worker, worker, time], random, () => gateway.clock.advance('1s'))
  const last = shopProcess(world, random.pick(stores), true)
  const intents = await untilNothingIsOpen(asks, last, gateway, random)
  const committed = await place.committed()
  const heard = await place.heard()
  for (const { ask } of asks) {
    const rows = committed.filter((name) => name === ask.name).length
    const heardOf = heard.filter((name) => name === ask.name).length
    const own = { rows, heardOf, intents: intents.get(ask.name) ?? [], ...(seen.get(ask.name) ?? NOTHING) }
    for (const finding of judged(ask, own, counts)) counts.findings.push(`${where}, ${ask.name}: ${finding}`)
  }
}

function hear(event: JournalEvent, seen: ReadonlyMap<string, Seen>): void {
  if (event.type !== 'PREPARED_WAITS') return
  const own = seen.get(event.intent.businessKey)
  if (own !== undefined) own.reported = true
}

/** How a transaction ends, by chance. */
function endOf({ commit, rollback, commitUnheard, hangUp }: ShopTransaction, random: Random): () => Promise<void> {
  const draw = random.below(100)
  if (draw < ROLLED_BACK_PERCENT) return rollback
  if (draw < ROLLED_BACK_PERCENT + HUNG_UP_PERCENT) return hangUp
  return draw < ROLLED_BACK_PERCENT + HUNG_UP_PERCENT + UNHEARD_COMMIT_PERCENT ? commitUnheard : commit
}

interface Found extends Seen {
  /** How many orders of the shop are committed for the key, and how often its handler has noted an outcome. */
  readonly rows: number
  readonly heardOf: number
  readonly intents: readonly Intent[]
}

/** Compares what was seen of a key with what its commit asks for. */
function* judged(
  ask: Ask,
  { rows, heardOf, intents, arrivals, paid, reported }: Found,
  counts: Counts,
): Generator<string> {
  const [intent] = intents
  if (rows === 0) {
    counts.rolledBack++
    if (arrivals > 0) yield `rolled back, and sent ${arrivals} times`
    if (intent !== undefined) yield `rolled back, and its intent is ${intent.state}`
    return
  }
  counts.committed++
  if (rows > 1) yield `committed ${rows} times`
  if (intent === undefined || intents.length > 1) return yield `committed, with ${intents.length} intents`
  if (arrivals > 1) yield `sent ${arrivals} times`
  if (arrivals === 1) {
    if (intent.state !== 'FINAL' || intent.status !== 'approved')
      yield `sent, and ${intent.state} ${intent.status ?? ''}`
    if (heardOf !== 1) yield `sent, and the handler has noted ${heardOf} outcomes`
    if (paid.length === 0) counts.sentByJournal++
    return
  }
  if (heardOf > 0) yield `not sent, and the handler has noted ${heardOf} outcomes`
  // A process died between the mark and the request, or stood still for too long: nobody can tell, and so it is never sent again.
  if (TOLD_IN_DOUBT.has(intent.state) && intent.evidence.some(({ seen }) => seen === ENDED))
    return void counts.inDoubt++
  if (!ask.needsCard) return yield `committed, and not sent: ${intent.state}`
  if (paid.some((outcome) => outcome === 'accepted' || outcome === 'final')) yield 'paid by its caller, and not sent'
  if (intent.state !== 'PREPARED' && intent.state !== 'NOT_SENT')
    yield `needs a card, was not sent, and is ${intent.state}`
  if (intent.state === 'PREPARED' && !reported) yield 'waits for its caller, and nobody was told'
  counts.waiting++
}

/** A request under a new key. `orderId`: the order that it changes, if it changes one. */
async function newAsk(
  gateway: World['gateway'],
  client: PaymentClient,
  random: Random,
): Promise<{ readonly ask: Ask; readonly orderId: string }> {
  const number = ++keys
  const kind = random.pick(['rebill', 'return', 'capture', 'sale'] as const)
  const name = kind === 'rebill' ? `rebill sub ${number}` : `${kind} ${number}`
  if (kind === 'sale') {
    const { clientOrderId: _, ...sale } = saleInput({ ...MONEY, orderDesc: name })
    return { ask: askOf(name, true, name, 'sale', sale), orderId: 'none' }
  }
  const opened = await (kind === 'capture'
    ? client.preauth(buildInput('preauth', MONEY))
    : client.sale(saleInput(MONEY)))
  if (opened.outcome !== 'accepted') throw new Error(`the gateway did not take the first order: ${opened.outcome}`)
  await gateway.settled()
  const order = { clientOrderId: opened.reply.clientOrderId ?? '', orderId: opened.reply.orderId }
  if (kind !== 'rebill') {
    const part = { ...order, amount: '3.00', currency: MONEY.currency }
    const ask =
      kind === 'return'
        ? askOf(name, false, name, 'return', { ...part, comment: 'broken' })
        : askOf(name, false, name, 'capture', part)
    return { ask, orderId: order.orderId }
  }
  const card = await client.createCardRef(order)
  if (card.outcome !== 'accepted') throw new Error(`the gateway did not store the card: ${card.outcome}`)
  const rebill = { ...MONEY, cardRefId: card.reply.cardRefId, orderDesc: name, customerIp: '192.0.2.1' }
  const key = { profile: 'sub', period: String(number) }
  return { ask: askOf(name, false, key, 'makeRebill', rebill), orderId: 'none' }
}

function askOf<K extends 'sale' | 'return' | 'capture' | 'makeRebill'>(
  name: string,
  needsCard: boolean,
  key: BusinessKey,
  operation: K,
  input: JournalInput<K>,
): Ask {
  return {
    name,
    needsCard,
    prepare: ({ journal }, transaction) => journal.prepare(key, operation, input, transaction),
    pay: ({ journal }) => journal.pay(key, operation, input),
  }
}

/** Waits until it may do its next step. */
type Turn = () => Promise<void>

/**
 * Lets one of the actors do its next step, in random order, often before the last one's has ended.
 *
 * @param goOn lets a little time pass: all that are left wait for something, perhaps for the time
 */
async function inRandomOrder(
  actors: readonly ((turn: Turn) => Promise<void>)[],
  random: Random,
  goOn: () => Promise<void>,
): Promise<void> {
  const waiting: (() => void)[] = []
  let active = actors.length
  let wake = () => {}
  const turn: Turn = () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      wake()
    })
  const woken = () =>
    new Promise<true>((resolve) => {
      wake = () => resolve(true)
    })
  const all = Promise.all(
    actors.map((act) =>
      act(turn).finally(() => {
        active--
        wake()
      }),
    ),
  )
  all.catch(() => {})
  while (active > 0) {
    const [next] = waiting.splice(random.below(Math.max(1, waiting.length)), 1)
    if (next !== undefined) next()
    else if (!(await Promise.race([woken(), pause(IDLE_MS, false)]))) await goOn()
    for (let turns = random.below(4); turns > 0; turns--) await turnOfLoop()
  }
  await all
}

/** The last process of the shop works until all is decided. */
async function untilNothingIsOpen(
  asks: readonly { readonly ask: Ask }[],
  { journal }: ShopProcess,
  gateway: World['gateway'],
  random: Random,
): Promise<ReadonlyMap<string, readonly Intent[]>> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await gateway.settled()
    await journal.settled()
    const all = await Promise.all(
      asks.map(async ({ ask }) => [ask.name, await journal.attempts(readRebillKey(ask.name) ?? ask.name)] as const),
    )
    if (all.every(([, intents]) => intents.every(isAtRest))) return new Map(all)
    await gateway.clock.advance(`${60 + random.below(400)}s`)
  }
  throw new Error('an intent stayed open')
}

function isAtRest({ state, nextCheckAt }: Intent): boolean {
  if (state === 'PREPARED' || state === 'NOT_SENT') return nextCheckAt === undefined
  return (
    state === 'FINAL' ||
    state === 'REVIEW' ||
    state === 'PRESUMED_ABSENT' ||
    (state === 'REJECTED' && nextCheckAt === undefined)
  )
}
