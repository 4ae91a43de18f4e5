import { CompiledQuery } from 'kysely'
import type { SessionAnswer } from './session-journal-store.ts'

/** What runs a compiled query in any version of Kysely. */
export interface KyselyExecutor {
  executeQuery(query: never): Promise<{ readonly rows: readonly unknown[]; readonly numAffectedRows?: bigint }>
}

/** Runs a statement with a Kysely of the shop's, which MikroORM has inside as well. */
export async function runKysely(db: KyselyExecutor, text: string, values: readonly unknown[]): Promise<SessionAnswer> {
  const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]) as never)
  return { rows: rows as readonly object[], changed: numAffectedRows }
}
