/**
 * A thousand copies of a callback over four processes take effect once.
 *
 *     pnpm prove callback-copies [--quick] [--runs n] [--seed n]
 */
import { get } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { createJournal, sqliteJournalStore } from '@tallystick/journal'
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { saleInput, signedCallback } from '@tallystick/testing'
import type { ShopProcess } from './harness/processes.ts'
import { type ShopWorld, shopWorld } from './harness/shop-world.ts'

const PROCESSES = 4
const PATIENCE_MS = 20_000

await prove({
  name: 'callback-copies',
  meaning:
    'A payment is approved; copies of its callback reach four processes of the shop at once. All must be acknowledged, and\n' +
    'the handler take effect once. Then parts of the same amount are given back twice, with callbacks that look alike:\n' +
    'both must be found.',
  runs: { of: 'copies', long: 1000, quick: 1000 },
  run: (order) =>
    inFolder('callback-copies', async (folder) => {
      const world = await shopWorld(folder, order.random)
      const shops: ShopProcess[] = []
      try {
        return await copies(order, world, shops)
      } finally {
        await Promise.all(shops.map((shop) => shop.stop()))
        await world.gateway.close()
      }
    }),
})

async function copies({ runs }: Order, world: ShopWorld, shops: ShopProcess[]): Promise<Outcome> {
  shops.push(...Array.from({ length: PROCESSES }, () => world.next(0)))
  const origins = (await Promise.all(shops.map((shop) => shop.origin))).filter((origin) => origin !== undefined)
  const order = await approvedOrder(world)
  const { client, controlKey } = order
  const findings: string[] = []
  const send = async (type: string, expected: readonly string[]) => {
    const callback = {
      status: 'approved',
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      type,
      amount: '3.00',
    }
    const query = signedCallback(callback, controlKey)
    const answers = await Promise.all(
      Array.from({ length: runs }, (_, n) => statusOf(`${origins[n % origins.length]}/callback?${query}`)),
    )
    const refused = answers.filter((status) => status !== 200).length
    if (refused > 0) findings.push(`${type}: ${refused} of ${runs} copies were not acknowledged`)
    findings.push(...(await awaitEffects(world.file, expected)))
  }
  await send('sale', ['outcome 1042'])
  for (const expected of [
    ['outcome 1042', 'notice 300'],
    ['outcome 1042', 'notice 300', 'notice 300'],
  ]) {
    const { orderId, clientOrderId } = order
    await client.return({ orderId, clientOrderId, amount: '3.00', currency: 'USD', comment: 'a part' })
    await world.gateway.settled()
    await send('reversal', expected)
  }
  const complaints = shops.map((shop) => shop.complaints()).filter((complaint) => complaint !== '')
  const all = [...findings, ...complaints]
  const figure = `${withCommas(3 * runs)} callbacks, ${PROCESSES} processes, 3 outcomes: ${all.length} lost or doubled`
  return { ok: all.length === 0, figure, findings: all }
}

/**
 * The answer to a copy, each on its own connection. A Node server closes an idle connection after five seconds, even if the next
 * request is already on its way, and a sender that sends each copy once would take that for a refusal.
 */
async function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  get(url, { agent: false }, (response) => {
    response.resume()
    resolve(response.statusCode)
  }).on('error', reject)
  return await promise
}

/** A sale that the shop's journal has as accepted and that the gateway has approved: its status was not checked yet. */
async function approvedOrder(world: ShopWorld) {
  const client = world.gateway.client()
  const store = sqliteJournalStore({ file: world.file })
  const journal = createJournal({ client, store })
  const { clientOrderId: _, ...input } = saleInput({ amount: '10.42', currency: 'USD' })
  const { intent } = await journal.pay('invoice 77', 'sale', input)
  await world.gateway.settled()
  await store.close()
  const { clientOrderId, orderId = '' } = intent
  return { clientOrderId, orderId, client, controlKey: world.gateway.merchant.controlKey }
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
