/**
 * kill -9 in a loop, under load, on one SQLite file.
 *
 *     pnpm prove kill9 [--quick] [--runs n] [--seed n]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPaymentClient } from '@tallystick/client'
import { newVaultKeys } from '@tallystick/gateway'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { count } from '../../../scripts/proof/options.ts'
import type { Order, Outcome } from '../../../scripts/proof/proof.ts'
import { prove } from '../../../scripts/proof/prove.ts'
import type { Random } from '../../../scripts/proof/random.ts'
import { bank } from './bank/bank.ts'
import { checkCalls } from './bank/check-books.ts'
import type { Entry } from './bank/journal.ts'
import { askForOpen } from './kill9/ask.ts'
import { type Book, emptyBook } from './kill9/book.ts'
import { type Child, startChild } from './kill9/child.ts'
import { hasOpenDeliveries, inspectAll, inspectLast } from './kill9/inspect.ts'
import { type Receiver, startReceiver } from './kill9/receiver.ts'
import { type Shop, trade } from './kill9/trade.ts'

const LOGIN = 'test-merchant'
const ENDPOINT = '253'
const MOST_RESTART_MS = 2000
/** Between the end of one process and the start of the next, by their clocks: what was put off is due again. */
const APART_MS = 120_000
const LONGEST_LOAD_MS = 150
const LONGEST_PAUSE_MS = 12
const TROUBLES = { notReached: 3, answerLost: 4, declined: 10 }
/** Of a hundred processes so many are killed while they start. */
const KILLED_AT_START = 15
const LONGEST_START_MS = 600
/** And so many get new requests while they are still busy with what the last one left. */
const BUSY_AT_START = 25
/** The file of every so many is looked into. */
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
  run: async (order) => {
    const folder = mkdtempSync(join(tmpdir(), 'kill9-'))
    const receiver = await startReceiver(order.random)
    try {
      return await killInLoop(order, folder, receiver)
    } finally {
      receiver.close()
      rmSync(folder, { recursive: true })
    }
  },
})

/** What outlives the gateway's processes. */
interface World {
  readonly order: Order
  readonly receiver: Receiver
  readonly journal: readonly Entry[]
  readonly book: Book
  readonly file: string
  /** Starts the next process, with a client of it. */
  next(): Started
}

interface Started {
  readonly process: number
  readonly child: Child
  readonly begun: number
  clientAt(origin: string): Shop['client']
}

async function killInLoop(order: Order, folder: string, receiver: Receiver): Promise<Outcome> {
  const world = worldIn(folder, order, receiver)
  const { book, journal, file } = world
  const restarts: number[] = []
  await warmUp(world)
  for (let kills = 0; kills < order.runs && book.findings.length === 0; kills++) {
    const restart = await liveAndDie(world)
    if (restart !== undefined) restarts.push(restart)
    if (kills % INSPECTED === 0) {
      book.findings.push(...(await inspectLast(INSPECTED_ORDERS, { file, login: LOGIN, journal })))
    }
    order.progress(kills + 1, order.runs)
  }
  await drain(world)
  const whole = await inspectAll({ file, login: LOGIN, journal }, book, receiver)
  const worst = Math.max(...restarts)
  // Every test run has the quick form in it, on a machine that does other things as well.
  const late = order.isQuick || worst <= MOST_RESTART_MS ? [] : [`a restart took ${Math.round(worst)} ms`]
  const findings = [...book.findings, ...checkCalls(journal), ...whole.findings, ...late]
  return {
    ok: findings.length === 0,
    figure:
      `${count(order.runs)} kills, ${count(whole.orders)} orders, ${count(book.acknowledgements)} acknowledgements, ` +
      `${count(whole.deliveries)} callbacks, ${count(journal.length)} entries at the bank: ${findings.length} lost, ` +
      `doubled or wrong; a restart took ${Math.round(median(restarts))} ms, the worst ${Math.round(worst)} ms`,
    findings,
  }
}

/** One that ends in peace leaves what node compiled behind: the others start as a built gateway does. */
async function warmUp(world: World): Promise<void> {
  const { child } = world.next()
  await child.origin
  await child.stop()
}

function worldIn(folder: string, order: Order, receiver: Receiver): World {
  const { random, seed } = order
  const { publicKey, privateKey } = testKeyPair()
  const controlKey = testControlKey()
  const vaultKeys = newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'kill9').reveal()
  const file = join(folder, 'gateway.db')
  const journal: Entry[] = []
  const lasting = bank({ journal, random, pause: () => pause(random.below(LONGEST_PAUSE_MS)), troubles: TROUBLES })
  let process = 0
  return {
    order,
    receiver,
    journal,
    book: emptyBook(),
    file,
    next: () => {
      const aheadMs = ++process * APART_MS
      const merchant = { login: LOGIN, endpointId: ENDPOINT, controlKey }
      const settings = { ...merchant, store: file, publicKey, vaultKeys, aheadMs, seed: seed + process }
      const clock = { now: () => Date.now() + aheadMs }
      return {
        process,
        begun: performance.now(),
        child: startChild({ settings, bank: lasting, cacheFolder: join(folder, 'compiled') }),
        clientAt: (baseUrl) => createPaymentClient({ ...merchant, baseUrl, privateKey, clock, timeoutMs: 10_000 }),
      }
    },
  }
}

/** One process from its start to its end. Gives how long it took to answer, if it came that far. */
async function liveAndDie(world: World): Promise<number | undefined> {
  const { random } = world.order
  const started = world.next()
  const { child } = started
  const killed = random.below(100) < KILLED_AT_START ? killAtStart(child, random) : undefined
  const origin = await child.origin
  const restart = origin === undefined ? undefined : await live(started, origin, killed, world)
  await (killed ?? child.kill())
  if (child.complaints() !== '') world.book.findings.push(`process ${started.process}: ${child.complaints()}`)
  return restart
}

/** Anywhere on its way, or while it takes up what the last one left. */
async function killAtStart(child: Child, random: Random): Promise<void> {
  const isListening = random.below(2) === 0
  if (isListening) await child.origin
  await pause(random.below(isListening ? LONGEST_PAUSE_MS : LONGEST_START_MS))
  await child.kill()
}

/** Asks for what the last process left and sends new requests at the same time, until the process is dead. */
async function live(started: Started, origin: string, killed: Promise<void> | undefined, world: World) {
  const { order, book, receiver } = world
  const { process, child, begun } = started
  const client = started.clientAt(origin)
  const shop: Shop = { book, random: order.random, client, process, callbackAddress: receiver.address }
  let isOver = false
  const restart = await firstAnswer(client).then(
    () => performance.now() - begun,
    () => undefined,
  )
  const asking = askForOpen(shop, () => isOver)
  if (order.random.below(100) >= BUSY_AT_START) await Promise.race([asking, ...(killed === undefined ? [] : [killed])])
  const trading = trade(shop, () => isOver)
  await (killed ?? Promise.all([asking, pause(order.random.below(LONGEST_LOAD_MS))]))
  isOver = true
  await child.kill()
  await Promise.all([trading, asking])
  await client.close()
  return restart
}

/** It answers nothing before it knows what the last process left. */
async function firstAnswer(client: Shop['client']): Promise<void> {
  await client.getCardInfo({ cardRefId: '123456789012345' }).catch((error: { code?: unknown }) => {
    if (error.code !== 'REJECTED') throw error
  })
}

/** Lets the gateway finish in peace, as often as it takes: an hour later by its clock each time. */
async function drain(world: World): Promise<void> {
  const { book, file, journal, receiver, order } = world
  for (let drains = 0; drains < MOST_DRAINS; drains++) {
    const { child, clientAt, process } = world.next()
    const origin = await child.origin
    if (origin === undefined) throw new Error(`It does not start: ${child.complaints()}`)
    const client = clientAt(origin)
    const shop = { book, random: order.random, client, process, callbackAddress: receiver.address }
    await askForOpen(shop, () => false)
    await child.settle()
    await client.close()
    await child.stop()
    if (!(await hasOpenDeliveries({ file, login: LOGIN, journal }))) return
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
