/** A thousand copies of a callback over four processes take effect once. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentClient } from '@tallystick/client'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { saleInput, signedCallback } from '@tallystick/testing'
import { type ShopWorld, shopWorld } from './harness/shop-world.ts'
import { statusOf } from './harness/status-of.ts'

const PROCESSES = 4
const PATIENCE_MS = 20_000

await prove({
  name: 'callback-copies',
  meaning:
    'A payment is approved; copies of its callback reach four processes of the shop at once. All must be acknowledged, and\n' +
    'the handler take effect once. Then parts of the same amount are given back twice, with callbacks that look alike:\n' +
    'both must be found.',
  runs: { of: 'copies', long: 1000, quick: 1000 },
  run: async (order) => await copies(order, await shopWorld(order)),
})

async function copies({ runs, after }: Order, world: ShopWorld): Promise<Outcome> {
  const shops = Array.from({ length: PROCESSES }, () => world.next(0))
  for (const { stop } of shops) after(stop)
  const origins = await Promise.all(shops.map((shop) => shop.listening()))
  const { controlKey } = world.gateway.merchant
  const client = world.gateway.client()
  const ids = await approvedOrder(world, client)
  const findings: string[] = []
  const send = async (type: string, expected: readonly string[]) => {
    const query = signedCallback({ ...ids, status: 'approved', type, amount: '3.00' }, controlKey)
    const answers = await Promise.all(
      Array.from({ length: runs }, (_, n) => statusOf(`${origins[n % origins.length]}/callback?${query}`)),
    )
    const refused = answers.filter((status) => status !== 200).length
    if (refused > 0) findings.push(`${type}: ${refused} of ${runs} copies were not acknowledged`)
    findings.push(...(await awaitEffects(world.file, expected)))
  }
  await send('sale', ['outcome 1042'])
  for (const notices of [1, 2]) {
    await client.return({ ...ids, amount: '3.00', currency: 'USD', comment: 'a part' })
    await world.gateway.settled()
    await send('reversal', ['outcome 1042', ...Array.from({ length: notices }, () => 'notice 300')])
  }
  findings.push(...shops.flatMap((shop) => shop.complaints()))
  const figure = counted`${3 * runs} callbacks, ${PROCESSES} processes, 3 outcomes: ${findings.length} lost or doubled`
  return { figure, findings }
}

/** A sale that the shop's journal has as accepted and that the gateway has approved: its status was not checked yet. */
async function approvedOrder(world: ShopWorld, client: PaymentClient) {
  const store = sqliteJournalStore({ file: world.file })
  const journal = createJournal({ client, store })
  const { clientOrderId: _, ...input } = saleInput({ amount: '10.42', currency: 'USD' })
  const { intent } = await journal.pay('invoice 77', 'sale', input)
  await world.gateway.settled()
  await store.close()
  const { clientOrderId, orderId = '' } = intent
  return { clientOrderId, orderId }
}

/** Waits for the expected effects of the handler, or until patience ends; then a moment longer, in case there is one too many. */
async function awaitEffects(file: string, expected: readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + PATIENCE_MS
  while (effectsIn(file).length < expected.length && performance.now() < until) await pause(50)
  await pause(500)
  const found = effectsIn(file)
  return found.join() === expected.join() ? [] : [`expected ${expected.join(', ')}; found ${found.join(', ')}`]
}

function effectsIn(file: string): readonly string[] {
  const database = new DatabaseSync(file)
  const rows = database.prepare("select kind, amount from effects where amount in ('1042', '300') order by rowid").all()
  database.close()
  return rows.map(({ kind, amount }) => `${String(kind)} ${String(amount)}`)
}
