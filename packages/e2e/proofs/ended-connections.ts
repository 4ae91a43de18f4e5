/** Wherever a connection to the database ends, no error of it goes uncaught, and the journal goes on. */

import { setTimeout as pause } from 'node:timers/promises'
import { postgresStore } from '@tallystick/gateway/postgres'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { counted, describeError, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { type End, endedConnections, testDatabase } from '@tallystick/test-postgres'
import type { PoolClient } from 'pg'
import pg from 'pg'
import { NOW, opening, order as orderOf } from '../../gateway/test/store/changes.ts'
import { withOutcomes } from '../../journal/test/intents.ts'
import { type LibraryPlace, libraryPlaces, notRun } from './harness/library-places.ts'

let orders = 0

type JournalIn = ReturnType<typeof postgresJournalStore>

async function useJournal(store: JournalIn): Promise<void> {
  try {
    for (const outcome of await withOutcomes<PoolClient>(store, `order-${++orders}`)) {
      await store.deliver(outcome, 1, async (client) => void (await client.query('select 1')))
    }
  } finally {
    await store.close()
  }
}

async function useShopsPool(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString })
  try {
    await useJournal(postgresJournalStore({ pool }))
  } finally {
    await pool.end()
  }
}

async function useGateway(connectionString: string): Promise<void> {
  const store = postgresStore({ connectionString, jobs: false })
  try {
    await store.commit(opening(orderOf(++orders)), NOW)
  } finally {
    await store.close()
  }
}

/** What uses a database. */
interface Use {
  readonly name: string
  readonly work: (url: string) => Promise<void>
  /** What is wrong in the end, if anything is. */
  readonly findings: () => Promise<readonly string[]>
}

const none = async () => []
const USES: readonly Use[] = [
  {
    name: 'journal',
    work: (connectionString) => useJournal(postgresJournalStore({ connectionString })),
    findings: none,
  },
  { name: "journal on the shop's pool", work: useShopsPool, findings: none },
  { name: 'gateway', work: useGateway, findings: none },
]

/** Connections of a library. */
const POOL = 3
const ENDED_WITHIN_MS = 1500

/**
 * Their pools wait at the end for a connection that the library did not give back: Drizzle's, if it was lost at `begin`, and that of
 * MikroORM, if it was lost in a transaction. The guide says so.
 */
const KEEPING: ReadonlySet<string> = new Set(['Drizzle on node-postgres', 'MikroORM'])

/**
 * The journal on a library. What fails is done again, once, as only one connection ends: if the library ended in its opening, there
 * is nothing to do again.
 */
function useOf({ name, open, query }: LibraryPlace): Use {
  const booked = new Set<string>()
  const findings: string[] = []
  let kept = 0
  return {
    name,
    work: async (url) => {
      const { store, book, end } = await open(url, POOL)
      try {
        for (const outcome of await orAgain(() => withOutcomes(store, `order-${++orders}`))) {
          await orAgain((tries) => store.deliver(outcome, tries, async (tx) => void (await book(outcome.key, tx))))
          booked.add(outcome.key)
        }
      } catch (error) {
        findings.push(`it does not go on: ${String(error)}`)
        throw error
      } finally {
        const isEnded = await Promise.race([end().then(() => true), pause(ENDED_WITHIN_MS, false, { ref: false })])
        if (!isEnded) kept += 1
      }
    },
    findings: async () => {
      const rows = Map.groupBy(await query('select * from paid'), (row) => String(row['key']))
      const wrong = [...booked].filter((key) => rows.get(key)?.length !== 1)
      if (kept > 0 && !KEEPING.has(name)) findings.push(`it keeps a connection that is lost, ${kept} times`)
      return [...findings, ...wrong.map((key) => `${key} is booked ${rows.get(key)?.length ?? 0} times`)]
    },
  }
}

async function orAgain<Result>(work: (tries: number) => Promise<Result>): Promise<Result> {
  try {
    return await work(1)
  } catch {
    return await work(2)
  }
}

const byBytes = (bytes: number, how: 'end' | 'reset'): readonly End[] =>
  Array.from({ length: bytes + 1 }, (_, afterByte) => ({ afterByte, how }))

const byMessages = (messages: number): readonly End[] =>
  Array.from({ length: messages }, (_, index) => ({ afterMessage: index + 1, how: 'fatal' }))

await prove({
  name: 'ended-connections',
  meaning:
    'Journal, journal on each database library, and gateway connect, read and write while one connection to PostgreSQL or\n' +
    'MariaDB ends after the n-th byte that the server sends, by an end or a reset, or after the n-th message, in one packet\n' +
    'with the reason: no error goes uncaught; on a library, all that fails works when it is done again, and the handler takes\n' +
    'effect once. Not tried: Prisma, whose client is generated with an engine from elsewhere.',
  runs: { of: 'ends of each use and kind, at most', long: 200, quick: 2 },
  run,
})

async function run(order: Order): Promise<Outcome> {
  const database = await testDatabase()
  order.after(database.close)
  const uses = [
    ...USES.map((use) => ({ ...use, url: database.url })),
    ...(await libraryPlaces(order)).map((place) => ({ ...useOf(place), url: place.url })),
  ]
  const findings: string[] = []
  let ends = 0
  for (const [at, { name, work, url, ...use }] of uses.entries()) {
    // The tables are made first.
    await work(url)
    const ended = await endedConnections(url, work, ({ bytes, messages }) =>
      [byBytes(bytes, 'end'), byBytes(bytes, 'reset'), byMessages(messages)].flatMap((all) =>
        order.random.sample(all, order.runs),
      ),
    )
    ends += ended.ends
    const uncaught = ended.uncaught.map((error) => `uncaught: ${describeError(error)}`)
    findings.push(...[...uncaught, ...(await use.findings())].map((finding) => `${name}: ${finding}`))
    order.progress(at + 1, uses.length)
  }
  return {
    figure:
      notRun +
      counted`${ends} ends of a connection in ${uses.length} uses: ${findings.length} errors uncaught, or rows lost or doubled`,
    findings: ends > 0 ? findings : ['no connection ended'],
  }
}
