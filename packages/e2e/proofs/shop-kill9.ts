/** Killed at any moment, the shop ends every payment correctly, and its handler takes effect once. */
import { DatabaseSync } from 'node:sqlite'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { checkShop } from './harness/check-shop.ts'
import { killShop, TROUBLES } from './harness/kill-shop.ts'
import { type ShopWorld, shopWorld } from './harness/shop-world.ts'

const LOAD = { customers: 12, answeredFirst: 8, longestStartMs: 400 }

await prove({
  name: 'shop-kill9',
  meaning:
    'A shop with its tables and the journal in one SQLite file is killed with SIGKILL under load, at a random moment, and\n' +
    'started again; the gateway and its bank live on. In the end every intent must be what the bank says, no invoice be\n' +
    'charged twice, no charge be unknown, and what the handler writes be there once for each final intent.',
  runs: { of: 'kills', long: 500, quick: 10 },
  run: async (order) => await killed(order, await shopWorld(order, { troubles: TROUBLES })),
})

async function killed(order: Order, world: ShopWorld): Promise<Outcome> {
  const complaints = await killShop(order, world, LOAD)
  const database = new DatabaseSync(world.file)
  const { intents, effects, reviewed, findings } = await checkShop((sql) => database.prepare(sql).all(), world.journal)
  database.close()
  const all = [...complaints, ...findings, ...(reviewed === 0 ? [] : [`${reviewed} intents are in review`])]
  return {
    figure:
      counted`${order.runs} kills, ${intents.length} intents, ${effects} effects of the handler, ` +
      counted`${world.journal.length} entries at the bank: ${all.length} lost, doubled or wrong`,
    findings: all,
  }
}
