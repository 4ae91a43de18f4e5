import type { Migration } from '@tallystick/durable/schema'
import { storableValue } from '@tallystick/durable/stored-text'
import type { CompiledQuery } from 'kysely'
import { type Answer, type Step, TablesGoneError, type Work } from '../statements/work.ts'

/** Runs a statement on a connection of its own kind. The values are texts, numbers and null. */
export type Run = (text: string, values: readonly unknown[], wants: Step['wants']) => Promise<Answer>

/** How statements reach a database, whatever library has its connections. */
export interface Database {
  /** Work that may be repeated at will, in no transaction. */
  read<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
  /** In a transaction, durable when it resolves. The work may be repeated after a rollback. */
  write<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
}

/** Where the tables are, and whether they may be made anew if they are gone. */
export interface Place {
  /** By option. Default: as the connection says. */
  readonly schema?: string | undefined
  readonly isAnew?: boolean | undefined
}

/** The tables after a migration. */
export interface Migrated {
  readonly schema: string
  /** The version that they had. */
  readonly version: number
}

/** Where a journal was looked for, and where there are any. */
export interface Sought {
  readonly schema: string
  readonly isThere: boolean
  /** The schemas that have the tables of one. */
  readonly others: readonly string[]
}

/** As it goes to the server. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What the two kinds of server do differently. */
export interface SqlServer {
  /** A statement of ours, with the schema before each table: it means the same tables on every connection. */
  statement(query: CompiledQuery, schema: string): Statement
  /** Whether one of our tables, or their schema, is not there. */
  isTableGone(error: unknown): boolean
  /** Whether the connection failed: whether the statement took effect is not known. */
  isLostConnection(error: unknown): boolean
  /**
   * Whether another transaction was faster and this one is rolled back: it may be done again.
   *
   * @param isOurs whether all its statements are the journal's
   */
  wasOvertaken(error: unknown, isOurs: boolean): boolean
  /** Brings the tables to the newest version. */
  migrate(database: Database, place: Place, migrations?: readonly Migration[]): Promise<Migrated>
  /** The schema in which a connection of the merchant's sees usable tables: then `migrate` has nothing to do. */
  usableSchema(run: Run, place: Place): Promise<string | undefined>
  /** First of all in each transaction, but in one for a handler: that takes its outcome first. */
  begin(run: Run, idleMs: number): Promise<void>
  /** Watches over a transaction in which the merchant's handler writes. */
  guard(run: Run, idleMs: number): Promise<HandlerGuard>
}

/** What `execute` needs of a server. */
export type Statements = Pick<SqlServer, 'statement' | 'isTableGone'>

export interface HandlerGuard {
  /** Takes the transaction back at the server, which refuses what is written in it later. */
  abort(): Promise<unknown>
  /**
   * After the handler, and before the library commits.
   *
   * @throws Error when the transaction that the handler was given has ended
   */
  finish(): Promise<void>
  /** Before the library ends the transaction, however the handler ended. */
  release(): Promise<unknown>
}

export function endedByHandler(): Error {
  return new Error(
    'The handler must not end the transaction, nor go on after a deadlock: what it writes belongs to the note that it ran',
  )
}

/** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
export async function execute<Result>(
  server: Statements,
  run: Run,
  schema: string,
  work: Work<Result>,
): Promise<Result> {
  let next = work.next()
  while (next.done !== true) next = work.next(await answer(server, run, schema, next.value))
  return next.value
}

async function answer(server: Statements, run: Run, schema: string, { query, wants }: Step): Promise<Answer> {
  try {
    const { text, values } = server.statement(query, schema)
    return await run(text, values.map(storableValue), wants)
  } catch (error) {
    throw server.isTableGone(error) ? new TablesGoneError(`schema ${schema}`, error) : error
  }
}

/** Names of statements with their schema: each statement is written once and runs often. */
const MOST_TEXTS = 1000

/** A function that puts the schema before each table, and remembers what it made. */
export function schemaBefore(tables: RegExp, quote: string): (text: string, schema: string) => string {
  const qualified = new Map<string, string>()
  const quoted = (name: string) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
  return (text, schema) => {
    const name = `${schema} ${text}`
    const known = qualified.get(name)
    if (known !== undefined) return known
    const made = text.replaceAll(tables, (table) => `${quoted(schema)}.${table}`)
    if (qualified.size < MOST_TEXTS) qualified.set(name, made)
    return made
  }
}
