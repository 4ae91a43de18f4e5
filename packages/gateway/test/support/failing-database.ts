import type { Database, SqlValue, Statement } from '../../src/store/sqlite/database.ts'
import { openFile } from '../../src/store/sqlite/sqlite-store.ts'

/** One execution of a statement. Executions are counted over the whole store. */
export interface Execution {
  /** From 1. */
  readonly number: number
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Whether an execution fails. */
export type Fault = (execution: Execution) => boolean

export interface FailingDatabase {
  /** For `sqliteStore({ file, open })`. */
  readonly open: (file: string) => Database
  /** How many statements were executed since the fault was set. */
  readonly executed: () => number
  /** Every statement that was executed or prepared, each once. */
  readonly statements: () => readonly string[]
  /** Makes these executions fail from now on, counted from 1 again. Absent: none fails. */
  fail(fault?: Fault): void
  /** Ends the process as far as the file can tell: what was not committed is lost, and the lock is released. */
  crash(): void
}

/** The error of a disk that fails. */
export class PlannedFailure extends Error {
  override readonly name = 'PlannedFailure'
  readonly errcode = 10

  constructor({ number, sql }: Execution) {
    super(`disk I/O error (planned, at statement ${number}: ${sql.slice(0, 60)})`)
  }
}

/** A database of node:sqlite in which a statement that a test wants to fail does so before it is executed. */
export function failingDatabase(): FailingDatabase {
  const seen = new Set<string>()
  const opened: Database[] = []
  let fault: Fault | undefined
  let number = 0

  function execute<Result>(sql: string, values: readonly SqlValue[], run: () => Result): Result {
    seen.add(sql)
    number += 1
    const execution = { number, sql, values }
    if (fault?.(execution) === true) throw new PlannedFailure(execution)
    return run()
  }

  function wrap(sql: string, statement: Statement): Statement {
    seen.add(sql)
    return {
      run: (...values) => execute(sql, values, () => statement.run(...values)),
      get: (...values) => execute(sql, values, () => statement.get(...values)),
      all: (...values) => execute(sql, values, () => statement.all(...values)),
      setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
    }
  }

  return {
    open: (file) => {
      const database = openFile(file)
      opened.push(database)
      return {
        exec: (sql) => execute(sql, [], () => database.exec(sql)),
        prepare: (sql) => wrap(sql, database.prepare(sql)),
        close: () => {
          opened.splice(opened.indexOf(database), 1)
          database.close()
        },
        get isTransaction() {
          return database.isTransaction
        },
      }
    },
    executed: () => number,
    statements: () => [...seen],
    fail: (next) => {
      fault = next
      number = 0
    },
    crash: () => {
      for (const database of opened.splice(0)) database.close()
    },
  }
}

/** The n-th statement fails, once. */
export function once(n: number): Fault {
  return ({ number }) => number === n
}

/** Every statement from the n-th on fails: the disk is gone. */
export function from(n: number): Fault {
  return ({ number }) => number >= n
}
