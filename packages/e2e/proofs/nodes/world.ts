import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from '@tallystick/proof-kit'
import { testServer } from '@tallystick/test-postgres'
import pg from 'pg'
import { type Bank, bank, type Entry } from '../harness/bank.ts'
import { EFFECTS, type Row } from '../harness/check-shop.ts'
import { newCredentials, startGatewayProcess, startShopProcess } from '../harness/processes.ts'
import { type Handoff, type Passed, startFront } from './front.ts'
import { replays } from './replays.ts'

const LONGEST_PAUSE_MS = 100
const TROUBLES = { notReached: 2, answerLost: 2, declined: 10 }
/** The percentage of callbacks that reach two shops at once, as when an acknowledgement was lost. */
const TWICE = 20
const OPERATIONS = ['sale', 'payout', 'sale', 'preauth', 'payout'] as const
const AGAIN_AFTER_MS = 20
/** PostgreSQL's codes for a server that is away, and for a table that a process will make at its first use. */
const NOT_YET = /^(08|57P|42P01)/

/** The two halves share a server, and nothing else. */
export type Half = 'gateway' | 'shop'

/** The processes of a half that are up now. */
type Up = Record<Half, () => readonly string[]>

export type World = Awaited<ReturnType<typeof worldIn>>

/** What outlives the processes, and how the next ones are started. */
export async function worldIn({ folder, random, seed, after }: Order) {
  const server = await testServer()
  after(server.close)
  const urls = await makeDatabases(server.url)
  const pools = { gateway: poolOf(urls.gateway), shop: poolOf(urls.shop) }
  for (const pool of Object.values(pools)) after(() => pool.end())
  const findings: string[] = []
  const journal: Entry[] = []
  const heard = new Set<string>()
  const up: Up = { gateway: () => [], shop: () => [] }
  const desk = takingNote(
    bank({ journal, random, pause: () => pause(random.below(LONGEST_PAUSE_MS)), troubles: TROUBLES }),
  )
  const attacker = replays({ nodes: () => up.gateway(), random, findings })
  const gatewayFront = await startFront(() => up.gateway(), attacker.around)
  const shopFront = await startFront(() => up.shop(), callBack)
  for (const { close } of [gatewayFront, shopFront]) after(close)
  const { merchant, gateway } = newCredentials()
  const cacheFolder = join(folder, 'compiled')
  let started = 0

  async function callBack({ url }: Passed, toNext: () => Promise<Handoff>): Promise<Handoff> {
    const isTwice = random.below(100) < TWICE
    const [handoff = 'lost'] = await Promise.all(isTwice ? [toNext(), toNext()] : [toNext()])
    if (typeof handoff !== 'string' && handoff.status === 200) heard.add(url)
    return handoff
  }

  return {
    server,
    urls,
    up,
    journal,
    replays: attacker,
    findings,
    /** Whether a shop has acknowledged the callback with this address. */
    hasHeard: (url: string) => heard.has(url.slice(new URL(url).origin.length)),
    /** How many operations sent by dead gateways another one has asked the bank for. */
    takeovers: desk.takeovers,
    /** The rows of a statement. Waits for the database if that is away, and for tables that are not made yet. */
    rows: async (half: Half, statement: string): Promise<readonly Row[]> => {
      for (;;) {
        try {
          return (await pools[half].query<Row>(statement)).rows
        } catch (error) {
          if (error instanceof pg.DatabaseError && !NOT_YET.test(error.code ?? '')) throw error
          await pause(AGAIN_AFTER_MS)
        }
      }
    },
    startGateway: (aheadMs: number) => {
      const store = { connectionString: urls.gateway }
      const clock = { aheadMs, canAdvance: true } as const
      const settings = { ...gateway, store, clock, publicUrl: gatewayFront.origin, seed: seed + ++started }
      const { methods, died } = desk.caller()
      const process = startGatewayProcess(settings, cacheFolder, methods)
      void process.ended.then(died)
      return process
    },
    startShop: (aheadMs: number) => {
      const at = { baseUrl: gatewayFront.origin, notifyUrl: `${shopFront.origin}/callback`, operations: OPERATIONS }
      return startShopProcess({ ...merchant, ...at, store: { connectionString: urls.shop }, aheadMs }, cacheFolder)
    },
  }
}

/** The bank in front of several nodes: it sees which of them asks for what another, dead by now, had sent. */
function takingNote(inner: Bank) {
  const senders = new Map<string, { isDead: boolean }>()
  let takeovers = 0

  function caller() {
    const self = { isDead: false }
    const sent = async <Result>(reference: string, work: () => Promise<Result>) => {
      senders.set(reference, self)
      try {
        return await work()
      } catch (error) {
        // A living sender sees the error, and asks again in its own time.
        if (!self.isDead) senders.delete(reference)
        throw error
      }
    }
    const methods: Bank = {
      execute: (request) => sent(request.reference, () => inner.execute(request)),
      authenticate: (request, result) => sent(request.reference, () => inner.authenticate(request, result)),
      lookup: async (request) => {
        const sender = senders.get(request.reference)
        senders.delete(request.reference)
        if (sender?.isDead === true && sender !== self) takeovers++
        return await inner.lookup(request)
      },
    }
    const died = () => {
      self.isDead = true
    }
    return { methods, died }
  }

  return { caller, takeovers: () => takeovers }
}

async function makeDatabases(server: string): Promise<Readonly<Record<Half, string>>> {
  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: database }).href
  const urls = { gateway: urlOf('gateway'), shop: urlOf('shop') }
  for (const name of Object.keys(urls)) await run(server, `create database ${name}`)
  await run(urls.shop, EFFECTS)
  return urls
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  return pool
}
