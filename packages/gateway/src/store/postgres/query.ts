import { type Patience, patiently } from './backoff.ts'
import { LostError, query, takeFrom } from './connection-errors.ts'
import type { Connections } from './connections.ts'
import type { Answer, Statement } from './statement.ts'

export interface AskTools extends Patience {
  readonly connections: Connections
}

/** Runs one statement on any connection, and repeats it while that helps. The statement must bear being run twice. */
export function ask(statement: Statement, tools: AskTools): Promise<Answer> {
  return patiently(() => askOnce(statement, tools.connections), tools)
}

export async function askOnce(statement: Statement, connections: Connections): Promise<Answer> {
  const connection = await takeFrom(connections)
  let isBroken = false
  try {
    return await query(connection, statement)
  } catch (error) {
    isBroken = error instanceof LostError
    throw error
  } finally {
    connection.release(isBroken)
  }
}
