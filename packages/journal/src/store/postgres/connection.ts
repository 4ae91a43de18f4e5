import type { QueryConfig } from 'pg'
import { readable, storableValue } from '../statements/storable-text.ts'
import { TablesGoneError } from '../statements/tables-gone-error.ts'
import type { Answer, Step, Work } from '../statements/work.ts'
import { isTableGone } from './failures.ts'
import { type Client, inSchema } from './schema.ts'

/** The type oids of our columns that are not text. */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([20, 21, 23])

/**
 * Our columns are texts and whole numbers. The numbers are times, counts and versions, which a double can hold. The types of the
 * merchant's own queries on the same connection stay as they are.
 */
const types = { getTypeParser: (oid: number) => (WHOLE_NUMBERS.has(oid) ? Number : readable) }

/** Runs statements one after the other. A transaction, if there is to be one, is the caller's business. */
export async function perform<Result>(client: Client, schema: string, work: Work<Result>): Promise<Result> {
  let next = work.next()
  while (next.done !== true) next = work.next(await answer(client, schema, next.value))
  return next.value
}

async function answer(client: Client, schema: string, { query }: Step): Promise<Answer> {
  const config: QueryConfig = { text: inSchema(query.sql, schema), values: query.parameters.map(storableValue), types }
  try {
    const { rows, rowCount } = await client.query(config)
    return { rows, changed: rowCount ?? 0 }
  } catch (error) {
    throw isTableGone(error) ? new TablesGoneError(`schema ${schema}`, error) : error
  }
}
