import type { CompiledQuery } from 'kysely'

/**
 * Statements one after the other, each made from what the ones before have brought, without anybody to run them: a store
 * runs them in a transaction of its own kind. So what is written in both databases is written down once.
 */
export type Work<Result> = Generator<Step, Result, Answer>

export interface Step {
  readonly query: CompiledQuery
  /** Whether its rows are wanted, or the number of those that it changed. */
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
