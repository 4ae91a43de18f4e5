import { CompiledQuery } from 'kysely'
import type { KyselyExecutor } from './kysely-executor.ts'
import { dialectOf, type SessionAnswer, type SessionDialect } from './session-journal-store.ts'

/** Runs a statement with a Kysely of the shop's, which MikroORM has inside as well. */
export async function runKysely(db: KyselyExecutor, text: string, values: readonly unknown[]): Promise<SessionAnswer> {
  const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]) as never)
  return { rows: rows as readonly object[], changed: numAffectedRows }
}

/** Its dialects have any name, but their adapters say what their databases can. */
export function dialectOfKysely(caller: string, db: KyselyExecutor): SessionDialect {
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter
  if (supportsReturning && supportsTransactionalDdl) return 'postgresql'
  return dialectOf(caller, supportsReturning ? 'sqlite' : 'mysql')
}
