import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@tallystick/proof-kit'
import { askForOpen } from './ask.ts'
import { type Shop, trade } from './trade.ts'
import { LONGEST_PAUSE_MS, type Started, type World } from './world.ts'

const LONGEST_LOAD_MS = 150
/** The percentage of processes that are killed while they start. */
const KILLED_AT_START = 15
const LONGEST_START_MS = 600
/** The percentage that get new requests while they are still busy with what the last one left. */
const BUSY_AT_START = 25

/** Runs one process from start to end. Gives how long it took to answer, if it came that far. */
export async function liveAndDie(world: World): Promise<number | undefined> {
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

/** Kills it anywhere during its start, or while it takes up what the last one left. */
async function killAtStart(child: Started['child'], random: Random): Promise<void> {
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

/** Waits for the first answer: the gateway gives none before it knows what the last process left. */
async function firstAnswer(client: Shop['client']): Promise<void> {
  await client.getCardInfo({ cardRefId: '123456789012345' }).catch((error: { code?: unknown }) => {
    if (error.code !== 'REJECTED') throw error
  })
}
