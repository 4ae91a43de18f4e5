import { ignore } from '@tallystick/durable/sqlstate'
import type { Pool, PoolConnection, QueryOptions } from 'mysql2/promise'
import type { Database, Run } from '../session/server.ts'
import { plainAnswer, type SessionAnswer } from '../session/session-journal-store.ts'

/** Its connections, for work that nothing repeats. */
export function poolDatabase(pool: Pool): Database {
  return {
    read: (work) => work(runOn(pool)),
    write: (work) => transaction(pool, (connection) => work(runOn(connection))),
  }
}

function runOn(on: Pick<Pool, 'query'>): Run {
  return async (text, values) => plainAnswer(await query(on, text, values))
}

/** The shop's own settings of results stay with its own statements. */
const RESULTS = { rowsAsArray: false, nestTables: false, namedPlaceholders: false, typeCast: true } as const

export async function query(
  on: Pick<Pool, 'query'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<SessionAnswer> {
  const statement: QueryOptions = { ...RESULTS, sql, values: [...values] }
  const [result] = await on.query(statement)
  if (Array.isArray(result)) return { rows: result }
  return { changed: result.affectedRows }
}

export async function transaction<Result>(
  pool: Pool,
  work: (connection: PoolConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.getConnection()
  // A connection that the server ends in between is an event as well, which ends the process if nobody listens.
  connection.on('error', ignore)
  let isBroken = false
  try {
    await query(connection, 'set transaction isolation level read committed')
    await query(connection, 'start transaction read write')
    const result = await work(connection)
    await query(connection, 'commit')
    return result
  } catch (error) {
    isBroken = !(await isRolledBack(connection))
    throw error
  } finally {
    connection.off('error', ignore)
    if (isBroken) connection.destroy()
    else connection.release()
  }
}

async function isRolledBack(connection: PoolConnection): Promise<boolean> {
  try {
    await query(connection, 'rollback')
    return true
  } catch {
    // The connection is lost, and the server rolls the transaction back.
    return false
  }
}
