import { type Connections, connectionsTo } from '../../packages/gateway/src/store/postgres/connections.ts'
import type { Statement } from '../../packages/gateway/src/store/postgres/statement.ts'

/** Connections that record what is committed on them, statement by statement. */
export interface Recorder {
  connect(options: object): Connections
  /** Takes what was committed since the last call. */
  take(): readonly Statement[]
}

export function recorder(connectionString: string): Recorder {
  let committed: Statement[] = []
  return {
    connect: (options) => {
      const connections = connectionsTo({ connectionString, most: 10, ...options })
      return {
        ...connections,
        take: async () => {
          const connection = await connections.take()
          let open: Statement[] = []
          return {
            ...connection,
            query: (statement) => {
              open.push(statement)
              if (statement.text === 'COMMIT') committed.push(...open)
              if (statement.text === 'COMMIT' || statement.text === 'ROLLBACK') open = []
              return connection.query(statement)
            },
          }
        },
      }
    },
    take: () => {
      const taken = committed
      committed = []
      return taken
    },
  }
}
