import { type Database, openFile, type SqlValue, type Statement } from '../../src/store/sqlite/database.ts'

/** One execution of a statement, counted over all of a store. */
export interface Execution {
  /** From 1. */
  readonly number: number
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Says of an execution whether it fails. */
export type Fault = (execution: Execution) => boolean

export interface FailingDatabase {
  /** For `sqliteStore(file, { open })`. */
  readonly open: (file: string) => Database
  /** How many statements were executed since the fault was set. */
  readonly executed: () => number
  /** Every statement that was executed or prepared, each once. */
  readonly statements: () => readonly string[]
  /** From now on these executions fail, counted from 1 again. Absent: none. */
  fail(fault?: Fault): void
  /** Ends the process as far as the file is concerned: what is not committed is gone, and so is the lock. */
  crash(): void
}

/** The error that a disk gives up with. */
export class PlannedFailure extends Error {
  override readonly name = 'PlannedFailure'
  readonly errcode = 10

  constructor({ number, sql }: Execution) {
    super(`disk I/O error (planned, at statement ${number}: ${sql.slice(0, 60)})`)
  }
}

/** A database of node:sqlite whose statements fail when a test wants them to, before they are executed. */
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
