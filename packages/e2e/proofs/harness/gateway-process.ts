/** A gateway in a process of its own, served over HTTP. Its bank is in the process that kills it. */
import { inspect } from 'node:util'
import { createGateway, type EndpointOptions, listen, readVaultKeys } from '@tallystick/gateway'
import { advancingClock } from '@tallystick/gateway/internal'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import type { Store } from '@tallystick/gateway/store'
import { Random, RemoteError, underParent } from '@tallystick/proof-kit'
import { failingDatabase, PlannedFailure } from '../../../gateway/test/support/failing-database.ts'
import { type Bank, tokenizeCards } from './bank.ts'
import { clockAhead, scriptedClock } from './clocks.ts'
import { isOutage } from './outage.ts'

export interface GatewaySettings {
  readonly login: string
  readonly controlKey: string
  readonly publicKey: string
  readonly vaultKeys: string
  readonly endpoints: readonly EndpointOptions[]
  readonly seed: number
  readonly store: { readonly connectionString: string } | ({ readonly file: string } & DiskFaults)
  /** The address that merchants call. Default: its own. */
  readonly publicUrl?: string
  /**
   * How far its clock is ahead of the machine's, and whether its parent may advance it; or the time of a clock that only its
   * parent moves: then the parent takes the callbacks, too.
   */
  readonly clock: { readonly aheadMs: number; readonly canAdvance?: true } | { readonly now: number }
}

interface DiskFaults {
  /** The statement before which it kills itself, counted from 1: no other process could aim so precisely. */
  readonly killedAtStatement?: number | undefined
  /** Once its clock is moved, one in this many statements fails. */
  readonly failsEvery?: number | undefined
}

export interface GatewayParent extends Bank {
  /** A callback to the merchant, who acknowledges it. */
  callback(url: string): Promise<void> | void
  /** Its clock went on to this time. */
  clockWentOn(now: number): void
  /** A statement failed as planned. */
  diskFailed(): void
}

const { settings, call, serve } = underParent<GatewaySettings, GatewayParent>()
const { login, controlKey, publicKey, endpoints, store: at } = settings
const { clock: time } = settings
const scripted = 'now' in time ? scriptedClock(time.now, (now) => void call('clockWentOn', now)) : undefined
const real = clockAhead('now' in time ? 0 : time.aheadMs)
const advancing = scripted ?? ('canAdvance' in time ? advancingClock(real) : undefined)
let isMoved = false
const listener = await listen((request) => gateway.handle(request))
const gateway = createGateway({
  maxTriesPerCard: 1_000_000,
  publicUrl: settings.publicUrl ?? listener.origin,
  merchants: [{ login, controlKey, publicKey, endpoints }],
  store: 'file' in at ? sqliteStoreOn(at) : await postgresStoreOn(at.connectionString),
  vaultKeys: readVaultKeys(settings.vaultKeys),
  acquirer: {
    execute: (request) => call('execute', request),
    authenticate: (request, result) => call('authenticate', request, result),
    lookup: (request) => call('lookup', request),
    tokenize: tokenizeCards(new Random(settings.seed)),
  },
  clock: advancing ?? real,
  onError: complain,
  ...(scripted === undefined ? { sandbox: true } : { sendCallback: callBack }),
})

export type GatewayMethods = typeof methods
const methods = {
  /** Resolves when nothing goes on any more. */
  settle: async () => {
    await gateway.isReady()
    await gateway.settled()
  },
  advance: async (milliseconds: number) => await advancing?.advance(milliseconds),
  /** Sets the clock back, and then moves it on hour by hour: it must not run ahead of the work that it causes. */
  liveThrough: async (hours: number, setBackMs: number) => {
    await methods.settle()
    isMoved = true
    if (setBackMs > 0) scripted?.setBack(setBackMs)
    for (let hour = 0; hour < hours; hour++) {
      await scripted?.advance('1h')
      await gateway.settled()
    }
  },
  stop: async () => {
    isMoved = false
    await listener.close()
    await gateway.close()
  },
}
serve(methods)
void call('ready', listener.origin)

function sqliteStoreOn({ file, killedAtStatement, failsEvery }: { readonly file: string } & DiskFaults): Store {
  if (killedAtStatement === undefined && failsEvery === undefined) return sqliteStore({ file })
  const database = failingDatabase()
  database.fail(({ number }) => {
    if (number === killedAtStatement) process.kill(process.pid, 'SIGKILL')
    const isFailure = isMoved && failsEvery !== undefined && number % failsEvery === 0
    if (isFailure) void call('diskFailed')
    return isFailure
  })
  return sqliteStore({ file, open: database.open })
}

async function callBack(url: string): Promise<{ readonly status: number }> {
  await call('callback', url)
  return { status: 200 }
}

/** Ends the process if the database is away for too long: its parent starts the next. */
async function postgresStoreOn(connectionString: string): Promise<Store> {
  // Only here: a gateway on SQLite starts as fast as one that has no PostgreSQL.
  const { postgresStore } = await import('@tallystick/gateway/postgres')
  const store = postgresStore({ connectionString, onError: complain })
  try {
    await store.ready()
    return store
  } catch (error) {
    complain(error)
    process.exit(1)
  }
}

/** Not of what is meant to happen: a bank that fails, a disk that does, a PostgreSQL that is stopped. */
function complain(error: unknown): void {
  const isMeant =
    error instanceof PlannedFailure ||
    (error instanceof Error && error.cause instanceof RemoteError) ||
    ('connectionString' in at && isOutage(error))
  if (!isMeant) process.stderr.write(`${inspect(error)}\n`)
}
