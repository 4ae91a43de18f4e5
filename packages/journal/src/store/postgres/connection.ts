import { hash } from 'node:crypto'
import { ignore } from '@tallystick/durable/sqlstate'
import { readable } from '@tallystick/durable/stored-text'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Run } from '../session/server.ts'

/** The type oids of our columns that are not text. */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([20, 21, 23])

/**
 * Our columns are texts and whole numbers. The numbers are times, counts and versions, which a double can hold. The types of the
 * merchant's own queries on the same connection stay as they are.
 */
const types = { getTypeParser: (oid: number) => (WHOLE_NUMBERS.has(oid) ? Number : readable) }

/**
 * On a connection of pg.
 *
 * @param nameOf the name under which a connection prepares the statement. `undefined`: it is parsed and planned anew each time
 */
export function runOn(client: Client, nameOf: (text: string) => string | undefined = unnamed): Run {
  return async (text, values) => {
    const name = nameOf(text)
    const config: QueryConfig = { text, values: [...values], types, ...(name === undefined ? {} : { name }) }
    const { rows, rowCount } = await client.query(config)
    return { rows, changed: rowCount ?? 0 }
  }
}

function unnamed(): undefined {
  return undefined
}

/** A connection keeps each statement that it has prepared. There are more, since a list has any length. */
const MOST_NAMES = 200

/** The names of statements. They follow from the texts, since another version of this package may use the same connections. */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === MOST_NAMES) return known
    const name = `tallystick_${hash('sha1', text)}`
    names.set(text, name)
    return name
  }
}

/** A connection of pg, or a pool. */
export type Client = Pick<PoolClient, 'query'>

/**
 * A connection that the server ends while a library has it is an `error` event, and an event that nobody listens for ends the process.
 * pg's pool listens only to those that nobody has, and not all libraries do. The statement under way, or the next one, fails as well.
 */
export function keepingErrors(pool: Pool): Pool {
  if (pool.listenerCount('error') === 0) pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Whether it looks like a pool of pg. */
export function isPool(value: unknown): value is Pool {
  return typeof value === 'object' && value !== null && 'totalCount' in value && 'connect' in value && 'on' in value
}
