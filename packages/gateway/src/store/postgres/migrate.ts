import {
  type Migration,
  NO_VERSION,
  newestStep,
  type PresentVersion,
  presentVersionOf,
} from '@tallystick/durable/schema'
import type { CompiledQuery } from 'kysely'
import { MIGRATIONS, upgradeFrom, VERSION_TABLE } from '../sql/migrations/migrations.ts'
import { StoreError } from '../store-error.ts'
import { locksOf } from './locks.ts'
import type { AskTools } from './retry.ts'
import type { Statement } from './statement.ts'
import { type Step, transact, type Work } from './transaction.ts'

/** How long a step waits for tables that others write to, who then wait behind it. After that it is tried again. */
const LOCK_TIMEOUT: Statement = { text: "SET LOCAL lock_timeout = '2s'" }

/** How long to try again while a table is busy. */
const PATIENCE_MS = 60_000

/**
 * Brings the schema to the newest version, in one transaction. If nodes start at once, one does it and the others wait. A
 * later version is accepted if its last step says that gateways of this version can work on it.
 *
 * @throws StoreError if the schema is of a later version that this gateway cannot work on, or another program's
 */
export async function migrate(
  schema: string,
  tools: AskTools,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const opening = [locksOf(schema).migrating, LOCK_TIMEOUT]
  await transact(() => upgrade(schema, migrations), { ...tools, opening, patienceMs: PATIENCE_MS })
}

const versionsIn = (schema: string) => ({ dialect: 'postgresql', table: VERSION_TABLE, schema }) as const

function* upgrade(schema: string, migrations: readonly Migration[]): Work<void> {
  const present = yield* presentVersion(schema)
  const steps = upgradeFrom(present, schema, versionsIn(schema), migrations)
  if (steps.length === 0) return { keep: false, result: undefined }
  if (present.version === 0) yield [{ text: `CREATE SCHEMA IF NOT EXISTS ${schema}` }]
  for (const step of steps) yield step.map(statementOf)
  return { keep: true, result: undefined }
}

function* presentVersion(schema: string): Step<PresentVersion> {
  const [tables] = yield [
    { text: 'SELECT table_name FROM information_schema.tables WHERE table_schema = $1', values: [schema] },
  ]
  const names = tables?.rows.map((row) => row['table_name']) ?? []
  if (names.length === 0) return NO_VERSION
  if (!names.includes(VERSION_TABLE)) {
    throw new StoreError('FOREIGN', `${schema} is a schema of another program`)
  }
  const [newest] = yield [statementOf(newestStep(versionsIn(schema)))]
  return presentVersionOf(newest?.rows[0])
}

function statementOf({ sql: text, parameters }: CompiledQuery): Statement {
  return { text, values: parameters }
}
