/** Wherever a connection to PostgreSQL ends, no error of it goes uncaught. */
import { postgresStore } from '@tallystick/gateway/postgres'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { type End, endedConnections, testDatabase } from '@tallystick/test-postgres'
import type { PoolClient } from 'pg'
import pg from 'pg'
import { NOW, opening, order as orderOf } from '../../gateway/test/store/changes.ts'
import { withOutcomes } from '../../journal/test/intents.ts'

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

const USES: Readonly<Record<string, (url: string) => Promise<void>>> = {
  journal: (connectionString) => useJournal(postgresJournalStore({ connectionString })),
  "journal on the shop's pool": useShopsPool,
  gateway: useGateway,
}

const byBytes = (bytes: number, how: 'end' | 'reset'): readonly End[] =>
  Array.from({ length: bytes + 1 }, (_, afterByte) => ({ afterByte, how }))

const byMessages = (messages: number): readonly End[] =>
  Array.from({ length: messages }, (_, index) => ({ afterMessage: index + 1, how: 'fatal' }))

await prove({
  name: 'ended-connections',
  meaning:
    'Journal and gateway connect, read and write while one connection to PostgreSQL ends after the n-th byte that the server\n' +
    'sends, by an end or a reset, or after the n-th message, in one packet with the reason: no error goes uncaught.',
  runs: { of: 'ends of each use and kind, at most', long: 100_000, quick: 8 },
  run,
})

async function run({ runs, random, progress, after }: Order): Promise<Outcome> {
  const findings: string[] = []
  let ends = 0
  for (const [at, [name, use]] of Object.entries(USES).entries()) {
    const database = await testDatabase()
    after(database.close)
    await use(database.url)
    const ended = await endedConnections(database.url, use, ({ bytes, messages }) =>
      [byBytes(bytes, 'end'), byBytes(bytes, 'reset'), byMessages(messages)].flatMap((all) => random.sample(all, runs)),
    )
    ends += ended.ends
    findings.push(...ended.uncaught.map((error) => `${name}: ${String(error)}`))
    progress(at + 1, Object.keys(USES).length)
  }
  return {
    figure: counted`${ends} ends of a connection: ${findings.length} uncaught errors`,
    findings: ends > 0 ? findings : ['no connection ended'],
  }
}
