import type { Connection, Connections } from '../../src/store/postgres/connections.ts'
import type { Statement } from '../../src/store/postgres/statement.ts'

/** A statement that a store sends. Statements are counted over all of its connections. */
export interface Sent {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/**
 * `lost before`: the connection breaks, and the statement never arrives. `lost after`: it is executed, and the answer is
 * lost. `refused`: the server says that it has no room.
 */
export type Mishap = 'lost before' | 'lost after' | 'refused'

export type Fault = (sent: Sent) => Mishap | undefined

export interface FailingConnections {
  /** Wraps what opens the real connections. */
  readonly around: (connections: Connections) => Connections
  readonly sent: () => number
  /** Every text that was sent, each once. */
  readonly texts: () => readonly string[]
  /** Makes these statements fail from now on, counted from 1 again. Absent: none fails. */
  fail(fault?: Fault): void
}

/** Connections whose statements fail when a test wants them to. */
export function failingConnections(): FailingConnections {
  const texts = new Set<string>()
  let fault: Fault | undefined
  let number = 0

  function wrap(connection: Connection): Connection {
    let isLost = false
    const lose = () => {
      isLost = true
      throw new Error('Connection terminated unexpectedly (planned)')
    }
    return {
      query: async (statement: Statement) => {
        texts.add(statement.text)
        number += 1
        const mishap = fault?.({ number, text: statement.text })
        if (isLost || mishap === 'lost before') return lose()
        if (mishap === 'refused') throw new PlannedRefusal()
        const answer = await connection.query(statement)
        return mishap === 'lost after' ? lose() : answer
      },
      // A lost connection is closed, so that the server rolls its transaction back.
      release: (isBroken) => connection.release(isBroken || isLost),
    }
  }

  return {
    around: (connections) => ({ ...connections, take: async () => wrap(await connections.take()) }),
    sent: () => number,
    texts: () => [...texts],
    fail: (next) => {
      fault = next
      number = 0
    },
  }
}

/** An error of the server as the driver reports it: class 53, insufficient resources. */
class PlannedRefusal extends Error {
  readonly severity = 'ERROR'
  readonly code = '53100'

  constructor() {
    super('could not extend file (planned)')
  }
}
