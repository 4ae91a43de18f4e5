/**
 * The process under kill -9: a gateway on a SQLite file, on a clock that its killer moves. Its bank and the receiver of
 * its callbacks are in the killer's process; the disk fails as planned.
 */
import { inspect } from 'node:util'
import { type CallbackAnswer, createGateway, readVaultKeys } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { Random } from '@tallystick/proof-kit'
import { failingDatabase, PlannedFailure } from '../../../gateway/test/support/failing-database.ts'
import { prepareCards } from '../bank/bank.ts'
import { remoteBank } from '../kill9/remote-bank.ts'
import { killer } from '../process/killer.ts'
import { merchantOf, PUBLIC_URL } from './merchant.ts'
import type { FromGateway, GatewaySettings, NamedOrder, ToGateway, ToldOrder } from './messages.ts'
import { ENDPOINTS, type PlannedSchedule } from './plan.ts'
import { toldClock } from './told-clock.ts'

const HOUR = 3_600_000
const { settings, tell } = killer<GatewaySettings, FromGateway>()
const { login, controlKey, publicKey, killedAtStatement, failsEvery } = settings

let isReady = false
const clock = toldClock(settings.now, (now) => tell({ clock: now }))
const database = failingDatabase()
database.fail(({ number }) => {
  if (number === killedAtStatement) process.kill(process.pid, 'SIGKILL')
  const isFailure = isReady && failsEvery !== undefined && number % failsEvery === 0
  if (isFailure) tell({ diskFailure: true })
  return isFailure
})
const acknowledging = new Map<number, (answer: CallbackAnswer) => void>()
let callbacks = 0
const gateway = createGateway({
  maxTriesPerCard: 1_000_000,
  publicUrl: PUBLIC_URL,
  merchants: [{ login, controlKey, publicKey, endpoints: ENDPOINTS.map(({ id, charges }) => ({ id, charges })) }],
  store: sqliteStore({ file: settings.file, open: database.open }),
  vaultKeys: readVaultKeys(settings.vaultKeys),
  acquirer: { ...remoteBank(), prepare: prepareCards(new Random(settings.seed)) },
  clock,
  sendCallback: (url) =>
    new Promise((resolve) => {
      const callbackId = ++callbacks
      acknowledging.set(callbackId, resolve)
      tell({ callbackId, url })
    }),
  onError: (error) => {
    if (!(error instanceof PlannedFailure)) process.stderr.write(`${inspect(error)}\n`)
  },
})
const merchant = merchantOf(gateway, settings)

process.on('message', (message: ToGateway) => {
  if (message === 'stop') void stop()
  else if ('heardId' in message) acknowledge(message.heardId)
  else if ('advanceHours' in message) void advance(message.advanceHours, message.setBackMs)
  else if ('create' in message) void create(message.create)
  else if ('statusOf' in message) void ask(message.statusOf)
})

/** Moves the clock, which must not run ahead of the work that it causes. */
async function advance(hours: number, setBackMs: number): Promise<void> {
  await gateway.isReady()
  await gateway.settled()
  isReady = true
  if (setBackMs > 0) clock.setBack(setBackMs)
  for (let hour = 0; hour < hours; hour++) {
    await clock.advance(HOUR)
    await gateway.settled()
  }
  done()
}

async function create(schedules: readonly PlannedSchedule[]): Promise<void> {
  const created: string[] = []
  for (const schedule of schedules) created.push(await merchant.create(schedule))
  tell({ created })
  done()
}

async function ask(orders: readonly NamedOrder[]): Promise<void> {
  const told: ToldOrder[] = []
  for (const order of orders) told.push(await merchant.statusOf(order))
  tell({ told })
  done()
}

function acknowledge(callbackId: number): void {
  acknowledging.get(callbackId)?.({ status: 200 })
  acknowledging.delete(callbackId)
}

async function stop(): Promise<void> {
  database.fail()
  await gateway.close()
  process.disconnect()
}

/** Says that a message was carried out. Results were sent before. */
function done(): void {
  tell({ done: true })
}
