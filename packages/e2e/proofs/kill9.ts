/**
 * kill -9 in a loop, under load, on one SQLite file.
 *
 *     pnpm prove kill9 [--quick] [--runs n] [--seed n]
 */
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { checkCalls } from './bank/check-books.ts'
import { askForOpen } from './kill9/ask.ts'
import { hasOpenDeliveries, inspectAll, inspectLast } from './kill9/inspect.ts'
import { liveAndDie } from './kill9/live-and-die.ts'
import { type Receiver, startReceiver } from './kill9/receiver.ts'
import { type World, worldIn } from './kill9/world.ts'

const MOST_RESTART_MS = 2000
/** The file is inspected after one in this many kills. */
const INSPECTED = 10
const INSPECTED_ORDERS = 1000
const MOST_DRAINS = 20

await prove({
  name: 'kill9',
  meaning:
    'A gateway on a SQLite file is killed with SIGKILL under load, at a random moment, and started again on the file; its\n' +
    'bank, its merchant and the receiver of its callbacks live on. No acknowledged order may be lost, none doubled,\n' +
    'nothing be sent to the bank twice; books are right, outcomes and callbacks come in the end.',
  runs: { of: 'kills', long: 1000, quick: 30 },
  run: (order) =>
    inFolder('kill9', async (folder) => {
      const receiver = await startReceiver(order.random)
      try {
        return await killInLoop(order, folder, receiver)
      } finally {
        receiver.close()
      }
    }),
})

async function killInLoop(order: Order, folder: string, receiver: Receiver): Promise<Outcome> {
  const world = worldIn(folder, order, receiver)
  const { book, journal } = world
  const restarts: number[] = []
  await warmUp(world)
  let kills = 0
  while (kills < order.runs && book.findings.length === 0) {
    const restart = await liveAndDie(world)
    if (restart !== undefined) restarts.push(restart)
    if (kills++ % INSPECTED === 0) {
      book.findings.push(...(await inspectLast(INSPECTED_ORDERS, world)))
    }
    order.progress(kills, order.runs)
  }
  await drain(world)
  const whole = await inspectAll(world)
  const worst = Math.max(...restarts)
  // The quick form is part of every test run, on a machine that does other things as well: there no time is judged.
  const late = order.isQuick || worst <= MOST_RESTART_MS ? [] : [`a restart took ${Math.round(worst)} ms`]
  const findings = [...book.findings, ...checkCalls(journal), ...whole.findings, ...late]
  return {
    ok: findings.length === 0,
    figure:
      `${withCommas(kills)} kills, ${withCommas(whole.orders)} orders, ${withCommas(book.acknowledgements)} acknowledgements, ` +
      `${withCommas(whole.deliveries)} callbacks, ${withCommas(journal.length)} entries at the bank: ${findings.length} lost, ` +
      `doubled or wrong; a restart took ${Math.round(median(restarts))} ms, the worst ${Math.round(worst)} ms`,
    findings,
  }
}

/** Runs one process to its end, which leaves what Node compiled: the others start as fast as a built gateway. */
async function warmUp(world: World): Promise<void> {
  const { child } = world.next()
  await child.origin
  await child.stop()
}

/** Lets the gateway finish undisturbed, as often as it takes: an hour later by its clock each time. */
async function drain(world: World): Promise<void> {
  const { book, receiver, order } = world
  for (let drains = 0; drains < MOST_DRAINS; drains++) {
    const { child, clientAt, process } = world.next()
    const origin = await child.origin
    if (origin === undefined) throw new Error(`It does not start: ${child.complaints()}`)
    const client = clientAt(origin)
    const shop = { book, random: order.random, client, process, callbackAddress: receiver.address }
    await askForOpen(shop, () => false)
    await child.ask('settle')
    await client.close()
    await child.stop()
    if (!(await hasOpenDeliveries(world))) return
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
