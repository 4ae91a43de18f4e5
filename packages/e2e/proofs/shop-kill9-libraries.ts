/** Killed at any moment, a shop on any database library ends every payment correctly, and its handler takes effect once. */
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { checkShop, type Query } from './harness/check-shop.ts'
import { killShop, TROUBLES } from './harness/kill-shop.ts'
import { type LibraryPlace, libraryPlaces, notRun } from './harness/library-places.ts'
import { shopWorld } from './harness/shop-world.ts'

/** One after the other: each library has a payment under way at any moment, and most have several. */
const CUSTOMERS_EACH = 2
const LONGEST_START_MS = 1200

await prove({
  name: 'shop-kill9-libraries',
  meaning:
    'A process in which each database library that the journal works with has a shop, with its tables and the journal in one\n' +
    'database, PostgreSQL or MariaDB, is killed with SIGKILL under load, at a random moment, and started again; each kill hits\n' +
    'payments of all. In the end every intent must be what the bank says, no invoice be charged twice, no charge be unknown,\n' +
    'and the row that the handler writes through the library be there once for each final intent. Not tried: Prisma, whose\n' +
    'client is generated with an engine from elsewhere.',
  runs: { of: 'kills', long: 100, quick: 3 },
  run: async (order) => await killed(order, await libraryPlaces(order)),
})

async function killed(order: Order, places: readonly LibraryPlace[]): Promise<Outcome> {
  const view = (server: string) =>
    `create view effects as select ${server === 'MariaDB' ? '`key`' : 'key'} as intent_id from paid`
  for (const { server, query } of places) await query(view(server))
  const libraries = places.map(({ server, library, url }) => ({ server, library, url }))
  const world = await shopWorld(order, { troubles: TROUBLES, store: { libraries } })
  const customers = CUSTOMERS_EACH * places.length
  const complaints = await killShop(order, world, {
    customers,
    answeredFirst: customers,
    longestStartMs: LONGEST_START_MS,
  })
  const everywhere: Query = async (statement) => (await Promise.all(places.map(({ query }) => query(statement)))).flat()
  const { intents, effects, reviewed, findings } = await checkShop(everywhere, world.journal)
  const columns = await Promise.all(places.map(effectsOf))
  const all = [
    ...complaints,
    ...findings,
    ...(reviewed === 0 ? [] : [`${reviewed} intents are in review`]),
    ...columns.filter(({ count }) => count === 0).map(({ name }) => `${name}: no effect, so nothing is shown`),
  ]
  return {
    figure:
      notRun +
      counted`${order.runs} kills of ${places.length} libraries, ${intents.length} intents, ${effects} effects of the handler (` +
      `${columns.map(({ name, count }) => counted`${name} ${count}`).join(', ')}), ` +
      counted`${world.journal.length} entries at the bank: ${all.length} lost, doubled or wrong`,
    findings: all,
  }
}

async function effectsOf({ name, query }: LibraryPlace) {
  const [row] = await query('select count(*) as count from effects')
  return { name, count: Number(row?.['count']) }
}
