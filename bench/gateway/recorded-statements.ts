import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Database, openFile, type SqlValue } from '../../packages/gateway/src/store/sqlite/database.ts'

/** A statement with the values that it was run with. */
export type Executed = readonly [sql: string, values: readonly SqlValue[]]

/** Records the statements that a store executes. */
export function recorder() {
  let executed: Executed[] = []
  const open = (file: string): Database => {
    const database = openFile(file)
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      isTransaction: false,
      prepare: (sql) => {
        const statement = database.prepare(sql)
        return {
          run: (...values) => {
            executed.push([sql, values])
            return statement.run(...values)
          },
          get: (...values) => {
            executed.push([sql, values])
            return statement.get(...values)
          },
          all: (...values) => statement.all(...values),
          setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
        }
      },
    }
  }
  return {
    open,
    /** Takes what was executed since the last call. */
    take: (): readonly Executed[] => {
      const taken = executed
      executed = []
      return taken
    },
  }
}

/** A program that only runs statements, each prepared once, on a file as durable as the store's. */
export function bareProgram(file: string) {
  const database = new DatabaseSync(file)
  const settings = ['locking_mode = EXCLUSIVE', 'journal_mode = WAL', 'synchronous = FULL', 'cache_size = -65536']
  for (const setting of [...settings, 'wal_autocheckpoint = 4000']) database.exec(`PRAGMA ${setting}`)
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    run: (executed: readonly Executed[]) => {
      for (const [sql, values] of executed) prepared(sql).run(...values)
    },
    close: () => database.close(),
  }
}
