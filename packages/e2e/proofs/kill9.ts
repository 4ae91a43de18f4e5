/** Killed at any moment, the gateway neither loses nor doubles an acknowledged order. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentClient } from '@tallystick/client'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import type { Store } from '@tallystick/gateway/store'
import { counted, median, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { actionsIn, bank, type Entry } from './harness/bank.ts'
import { checkBooks, checkOrder, within } from './harness/check-books.ts'
import { clockAhead } from './harness/clocks.ts'
import { type GatewayProcess, LOGIN, newCredentials, startGatewayProcess, untilDone } from './harness/processes.ts'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { askForOpen, type Book, emptyBook, type Shop, trade } from './kill9/shop.ts'

const MOST_RESTART_MS = 2000
/** The file is inspected after one in this many kills. */
const INSPECTED = 10
const INSPECTED_ORDERS = 1000
const MOST_DRAINS = 20
/** The time between the end of one process and the start of the next, by their clocks: what was put off is due again. */
const APART_MS = 120_000
const LONGEST_PAUSE_MS = 12
const TROUBLES = { notReached: 3, answerLost: 4, declined: 10 }
/** How much is acknowledged at least, at most, before the time for more begins. */
const ACKNOWLEDGED_FIRST = 24
const LONGEST_LOAD_MS = 150
/** The percentage of processes that are killed while they start. */
const KILLED_AT_START = 15
const LONGEST_START_MS = 600
/** The percentage that get new requests while they are still busy with what the last one left. */
const BUSY_AT_START = 25

await prove({
  name: 'kill9',
  meaning:
    'A gateway on a SQLite file is killed with SIGKILL under load, at a random moment, and started again on the file; its\n' +
    'bank, its merchant and the receiver of its callbacks live on. No acknowledged order may be lost, none doubled,\n' +
    'nothing be sent to the bank twice; books are right, outcomes and callbacks come in the end.',
  runs: { of: 'kills', long: 1000, quick: 30 },
  run: async (order) => await killInLoop(order, worldIn(order, await startReceiver(order))),
})

type World = ReturnType<typeof worldIn>

/** What outlives the gateway's processes. */
function worldIn({ folder, random, seed }: Order, receiver: Receiver) {
  const { merchant, privateKey, gateway } = newCredentials()
  const file = join(folder, 'gateway.db')
  const journal: Entry[] = []
  const book = emptyBook()
  const lasting = bank({ journal, random, pause: () => pause(random.below(LONGEST_PAUSE_MS)), troubles: TROUBLES })
  let process = 0
  return {
    receiver,
    journal,
    book,
    file,
    next: () => {
      const number = ++process
      const aheadMs = number * APART_MS
      const settings = { ...gateway, store: { file }, clock: { aheadMs }, seed: seed + number }
      const terms = { ...merchant, privateKey, clock: clockAhead(aheadMs), timeoutMs: 10_000 }
      return {
        child: startGatewayProcess(settings, join(folder, 'compiled'), lasting),
        shopAt: (baseUrl: string): Shop => {
          const client = createPaymentClient({ ...terms, baseUrl })
          return { book, random, client, process: number, callbackAddress: receiver.address }
        },
      }
    },
  }
}

async function killInLoop(order: Order, world: World): Promise<Outcome> {
  const { book, journal, file, receiver } = world
  const restarts: number[] = []
  // One process that ends undisturbed leaves what Node compiled: the others start as fast as a built gateway.
  const { child } = world.next()
  await child.origin
  await child.stop()
  let kills = 0
  while (kills < order.runs && book.findings.length === 0) {
    const restart = await liveAndDie(order, world)
    if (restart !== undefined) restarts.push(restart)
    if (kills++ % INSPECTED === 0)
      book.findings.push(...(await within(sqliteStore({ file }), (store) => wrongLast(store, journal))))
    order.progress(kills, order.runs)
  }
  await drain(world)
  const books = await within(sqliteStore({ file }), (store) => checkBooks(store, journal, receiver.hasHeard))
  const there = new Map(books.orders.map(({ clientOrderId, orderId }) => [clientOrderId, orderId]))
  const worst = Math.max(...restarts)
  // The quick form is part of every test run, on a machine that does other things as well: there no time is judged.
  const late = order.isQuick || worst <= MOST_RESTART_MS ? [] : [`a restart took ${Math.round(worst)} ms`]
  const findings = [...book.findings, ...books.findings, ...against(book, there), ...late]
  return {
    figure:
      counted`${kills} kills, ${books.orders.length} orders, ${book.acknowledgements} acknowledgements, ` +
      counted`${books.deliveries} callbacks, ${journal.length} entries at the bank: ${findings.length} lost, doubled or ` +
      counted`wrong; a restart took ${Math.round(median(restarts))} ms, the worst ${Math.round(worst)} ms`,
    findings,
  }
}

/** Runs one process from start to end. Gives how long it took to answer, if it came that far. */
async function liveAndDie({ random }: Order, world: World): Promise<number | undefined> {
  const begun = performance.now()
  const { child, shopAt } = world.next()
  const killed = random.below(100) < KILLED_AT_START ? killAtStart(child, random) : undefined
  const origin = await child.origin
  let restart: number | undefined
  if (origin !== undefined) {
    const shop = shopAt(origin)
    restart = await firstAnswer(shop).then(
      () => performance.now() - begun,
      () => undefined,
    )
    await live(shop, child, killed)
  }
  await (killed ?? child.kill())
  world.book.findings.push(...child.complaints().map((complaint) => `a process complained: ${complaint}`))
  return restart
}

/** Kills it anywhere during its start, or while it takes up what the last one left. */
async function killAtStart(child: GatewayProcess, random: Order['random']): Promise<void> {
  const isListening = random.below(2) === 0
  if (isListening) await child.origin
  await pause(random.below(isListening ? LONGEST_PAUSE_MS : LONGEST_START_MS))
  await child.kill()
}

/** Asks for what the last process left and sends new requests at the same time, until the process is dead. */
async function live(shop: Shop, child: GatewayProcess, killed: Promise<void> | undefined): Promise<void> {
  const { random, client, book } = shop
  let isOver = false
  const asking = askForOpen(shop, () => isOver)
  if (random.below(100) >= BUSY_AT_START) await Promise.race([asking, ...(killed === undefined ? [] : [killed])])
  const trading = trade(shop, () => isOver)
  const enough = book.acknowledgements + random.below(ACKNOWLEDGED_FIRST)
  const done = untilDone(() => book.acknowledgements >= enough)
  await (killed ?? Promise.all([asking, done.then(() => pause(random.below(LONGEST_LOAD_MS)))]))
  isOver = true
  await child.kill()
  await Promise.all([trading, asking])
  await client.close()
}

/** Waits for the first answer: the gateway gives none before it knows what the last process left. */
async function firstAnswer({ client }: Shop): Promise<void> {
  await client.getCardInfo({ cardRefId: '123456789012345' }).catch((error: { code?: unknown }) => {
    if (error.code !== 'REJECTED') throw error
  })
}

/** Lets the gateway finish undisturbed, as often as it takes: later by its clock each time. */
async function drain({ next, file, book }: World): Promise<void> {
  for (let drains = 0; drains < MOST_DRAINS; drains++) {
    const { child, shopAt } = next()
    const shop = shopAt(await child.listening())
    await askForOpen(shop, () => false)
    await child.call('settle')
    await shop.client.close()
    await child.stop()
    // On a busy machine a status check may end without an answer.
    const isChecked = [...book.orders.values()].every(({ isOpen }) => !isOpen)
    if (isChecked && !(await within(sqliteStore({ file }), hasOpenDeliveries))) return
  }
}

/** Whether the books of the orders that were changed last are right. */
async function wrongLast(store: Store, journal: readonly Entry[]): Promise<readonly string[]> {
  const actions = actionsIn(journal)
  const orders = await store.recentOrders(LOGIN, INSPECTED_ORDERS)
  return (await Promise.all(orders.map((order) => checkOrder(order, actions, store)))).flat()
}

async function hasOpenDeliveries(store: Store): Promise<boolean> {
  for (const { orderId } of await store.recentOrders(LOGIN, Number.MAX_SAFE_INTEGER)) {
    if ((await store.deliveriesOf(orderId)).some(({ state }) => state === 'open')) return true
  }
  return false
}

/** Compares the shop's book with the gateway's: they must have the same orders under the same names. */
function against({ orders }: Book, there: ReadonlyMap<string, string>): readonly string[] {
  return [...orders]
    .filter(([clientOrderId, { orderId }]) => there.get(clientOrderId) !== orderId)
    .map(([id, { orderId }]) => `${id}: the shop knows ${orderId}, the file ${there.get(id)}`)
}
