import type { DialectName } from '@tallystick/durable/schema'
import type { CompiledQuery, SelectQueryBuilder } from 'kysely'

/**
 * A sequence of statements, each made from the results of those before. A store runs them, in a transaction of its own kind. So
 * the statements for both databases are written once.
 */
export type Work<Result> = Generator<Step, Result, Answer>

export interface Step {
  readonly query: CompiledQuery
  /** The rows, or the number of rows that were changed. */
  readonly wants: 'rows' | 'count'
}

export interface Answer {
  readonly rows: readonly unknown[]
  readonly changed: number
}

/** The rows of a query. Kysely's own types say what it gives; no database can tell. */
export function* all<Row>(query: CompiledQuery<Row>): Work<readonly Row[]> {
  const { rows } = yield { query, wants: 'rows' }
  return rows as readonly Row[]
}

/** The first row of a query. */
export function* one<Row>(query: CompiledQuery<Row>): Work<Row | undefined> {
  const [first] = yield* all(query)
  return first
}

/** How many rows a statement changed. */
export function* change(query: CompiledQuery): Work<number> {
  const { changed } = yield { query, wants: 'count' }
  return changed
}

/** Locks the rows that it selects until the commit. In SQLite one process writes at a time. */
export function locking<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'sqlite' ? query : query.forUpdate()
}

/** Locks the rows that it selects, without waiting for rows that another process has locked. */
export function skippingLocked<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'sqlite' ? query : query.forUpdate().skipLocked()
}

/**
 * Selects what others have committed until now, within a transaction of the merchant's. Those of MySQL read by default what was there
 * when they began, but what they lock.
 */
export function upToNow<Tables, Table extends keyof Tables, Row>(
  dialect: DialectName,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return dialect === 'mysql' ? query.forUpdate() : query
}

/** The journal's tables were there, and are not there any more. Nothing is sent: what was paid is not known. */
export class TablesGoneError extends Error {
  override readonly name = 'TablesGoneError'

  constructor(where: string, cause?: unknown) {
    super(
      `The tables of the journal in ${where} are gone, though they were there: another tool has dropped them, and with them what was ` +
        'paid. Restore them from a backup. If there is none, stop the shop and run `tallystick-journal migrate --anew`: the journal ' +
        'then finds at the gateway what it has paid. Give it a schema or a file of its own, which the other tool does not touch',
      { cause },
    )
  }
}

/** What runs the statements in one kind of database. */
export interface Runner<Transaction> {
  /** How many transactions may be open for handlers at once. */
  readonly maxDeliveries: number
  read<Result>(work: () => Work<Result>): Promise<Result>
  /** In a transaction, durable when it resolves. After a rollback the work may be done again from its start. */
  write<Result>(work: () => Work<Result>): Promise<Result>
  /**
   * If a statement may be a transaction by itself, durable when it is answered. Work of one statement needs no other then.
   */
  readonly alone?: {
    /** @throws Error if the caller has what the work would wait for */
    requireFree(): void
    /** If the connection is lost, the work is done again: whether it took effect is not known then, as it is told. */
    each<Result>(work: (isAgain: boolean) => Work<Result>): Promise<Result>
  }
  /** Within a transaction of the merchant's. */
  within<Result>(transaction: Transaction, work: () => Work<Result>): Promise<Result>
  /**
   * In a transaction: the work and, if that gives `true`, the handler, which writes in the same transaction. The caller makes
   * sure that the handler takes no longer than `limitMs`, if there is a limit.
   */
  around(
    /** `idleMs`: how long the server may wait for the next statement, where the work has to tell it that. */
    work: (idleMs?: number) => Work<boolean>,
    handler: (transaction: Transaction) => void | Promise<void>,
    limitMs: number | undefined,
  ): Promise<boolean>
  close(): Promise<void>
}
