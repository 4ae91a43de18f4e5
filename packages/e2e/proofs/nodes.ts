/** Three gateways and two shops on one PostgreSQL, all killed at random: each order and effect once. */
import { postgresStore } from '@tallystick/gateway/postgres'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { checkBooks, repeated, within } from './harness/check-books.ts'
import { checkShop, wrongOrders, wrongPayments } from './harness/check-shop.ts'
import { drain } from './nodes/drain.ts'
import { type Lived, liveThrough, ordersOf } from './nodes/life.ts'
import { type World, worldIn } from './nodes/world.ts'

const MOST_RESUME_MS = 15_000

await prove({
  name: 'nodes',
  meaning:
    'Three gateways and two shops on one PostgreSQL, each a process, behind fronts that pass to whoever is up. Processes\n' +
    'are killed with SIGKILL at random, the server is stopped with "immediate" every few seconds, signed requests are sent\n' +
    'again to every node, callbacks come twice; at last the long form sells a fifth more in peace. In the end there is\n' +
    'each order once, charged once, its books sum to zero, each outcome took effect once, no nonce was accepted twice, and\n' +
    'work under way went on within 15 s.',
  runs: { of: 'orders', long: 5000, quick: 200 },
  run: async (order) => await live(order, await worldIn(order)),
})

async function live(order: Order, world: World): Promise<Outcome> {
  const lived = await liveThrough(world, order)
  await drain(world)
  const store = postgresStore({ connectionString: world.urls.gateway, jobs: false })
  const books = await within(store, () => checkBooks(store, world.journal, world.hasHeard))
  const shop = await checkShop((statement) => world.rows('shop', statement), world.journal)
  const { answered, accepted } = world.replays.counts()
  const findings = [
    ...world.findings,
    ...lived.findings,
    ...late(order, lived),
    ...books.findings,
    ...chargedTwice(world),
    ...(await wrongSums(world)),
    ...shop.findings,
    ...wrongPayments(shop.intents, ordersOf(order)),
    ...wrongOrders(shop.intents, books.orders),
  ]
  return {
    figure:
      counted`${ordersOf(order)} orders, ${lived.kills} kills (${lived.gatewayKills} of gateways), ` +
      counted`${lived.outages.count} times PostgreSQL stopped, ${answered} replays (${accepted} accepted); ` +
      counted`${books.orders.length} orders at the gateway, ${books.deliveries} callbacks, ${shop.effects} effects, ` +
      counted`${shop.absent} never arrived, ${shop.reviewed} in review: ${findings.length} lost, doubled or wrong; ` +
      resumed(lived, world),
    findings,
  }
}

function resumed({ outages: { longestMs }, heldMs }: Lived, { takeovers }: World): string {
  return (
    `work under way went on at the latest ${seconds(longestMs.gateway)} after an outage at the gateway and ` +
    counted`${seconds(longestMs.shop)} at the shop, what a dead gateway had sent (${takeovers()} operations) ` +
    `${seconds(heldMs.gateway)} and what a dead shop was at ${seconds(heldMs.shop)} after its last sign of life`
  )
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/**
 * The waits that were too long, after the end of an outage and after the death of a process. The quick form is part of every test
 * run, on a machine that does other things as well: there no time is judged.
 */
function late({ isQuick }: Order, { outages, heldMs }: Lived): readonly string[] {
  if (isQuick) return []
  const waits = {
    'what a gateway had sent, after an outage': outages.longestMs.gateway,
    'what a shop waited for, after an outage': outages.longestMs.shop,
    'what a gateway had sent, after its last sign of life': heldMs.gateway,
    'what a shop was at, after its last sign of life': heldMs.shop,
  }
  return Object.entries(waits)
    .filter(([, wait]) => wait > MOST_RESUME_MS)
    .map(([what, wait]) => `${what}: nothing of it went on for ${seconds(wait)}`)
}

/** The orders for which the bank carried out more than one charge, whatever it was called. */
function chargedTwice({ journal }: World): readonly string[] {
  const charges = journal.flatMap((entry) => ('decision' in entry && entry.did === 'execute' ? [entry.orderId] : []))
  return repeated(charges).map((orderId) => `order ${orderId}: charged twice`)
}

/** Reads the sums by a plain statement, not through the store. */
async function wrongSums({ rows }: World): Promise<readonly string[]> {
  const sums = await rows(
    'gateway',
    `select order_id, sum(postings.amount) as sum from tallystick.postings
     join tallystick.orders on orders.seq = postings.order_seq group by order_id having sum(postings.amount) <> 0`,
  )
  return sums.map((row) => `order ${String(row['order_id'])}: its postings sum to ${String(row['sum'])}`)
}
