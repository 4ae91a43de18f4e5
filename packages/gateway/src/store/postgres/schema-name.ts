import { type AskTools, ask } from './query.ts'

/** Names that need no quoting anywhere, and leave room for what pg-boss adds. The server reserves `pg_` for itself. */
const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/

/** @throws TypeError if it is not such a name */
export function requireSchemaName(name: string): string {
  if (NAME.test(name)) return name
  throw new TypeError('schema: must begin with a letter, but not with pg_, and have only small letters, digits and _')
}

/** Words that name a schema only in quotes. Each version of the server has its own. */
const RESERVED = `SELECT 1 FROM pg_get_keywords() WHERE word = $1 AND catcode IN ('R', 'T')`

/** @throws TypeError if the server reserves the word */
export async function requireUnreserved(name: string, tools: AskTools): Promise<void> {
  const { rowCount } = await ask({ text: RESERVED, values: [name] }, tools)
  if (rowCount > 0) throw new TypeError(`schema: ${name} is a reserved word of PostgreSQL: choose another`)
}
