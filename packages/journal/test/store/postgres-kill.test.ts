import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withOutcomes } from '../intents.ts'
import { postgresWorld } from './postgres-world.ts'

const { url, open, inShop } = postgresWorld()

const ORDERS = 60

const start = () =>
  fork(new URL('./delivery-process.ts', import.meta.url), [url()], {
    execArgv: ['--conditions=@tallystick/source'],
  })

/** A process that is killed when its handler has written its first outcome and not committed it. */
async function mortal(): Promise<void> {
  const child = start()
  child.once('message', () => child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}

/** A process that is in its handler while the others die, and then goes on to the end. */
async function survivor(deaths: Promise<unknown>): Promise<void> {
  const child = start()
  child.on('message', () => {
    void deaths.then(() => child.send('go on'))
  })
  expect(await once(child, 'exit')).toEqual([0, null])
}

test('Processes that share the outcomes and are killed in their handlers leave each effect there once', async () => {
  const store = open()
  await inShop('create table effects (key text)')
  const orders = Array.from({ length: ORDERS }, (_, n) => `order-${n}`)
  await withOutcomes(store, ...orders)
  const deaths = Promise.all([mortal(), mortal()])
  await Promise.all([deaths, survivor(deaths)])
  // The server released the locks of the killed ones when their connections closed.
  expect(await store.countOpenOutcomes()).toBe(0)
  const effects = await inShop('select key, count(*)::int as times from effects group by key order by key')
  expect(effects).toEqual(orders.map((order) => ({ key: `${order}:1`, times: 1 })).toSorted(byKey))
})

function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1
}
