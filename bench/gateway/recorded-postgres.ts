import { realTime } from '../../packages/gateway/src/runtime/system.ts'
import { type Connections, connectionsTo } from '../../packages/gateway/src/store/postgres/connections.ts'
import { openPostgresStore } from '../../packages/gateway/src/store/postgres/open-postgres-store.ts'
import type { Statement } from '../../packages/gateway/src/store/postgres/statement.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'

export interface Recorded {
  readonly store: Store
  /** Takes what was committed since the last call. */
  take(): readonly Statement[]
}

/** A store that records what is committed to it, statement by statement. */
export async function recordedStore(
  connectionString: string,
  schema: string,
  onError: (error: unknown) => void,
): Promise<Recorded> {
  const { connect, take } = recorder(connectionString)
  const store = await openPostgresStore({
    schema,
    cachedOrders: 4096,
    spareNonces: 100_000,
    connect,
    time: realTime,
    startJobs: undefined,
    onError,
  })
  // The statements that create the tables do not count.
  take()
  return { store, take }
}

function recorder(connectionString: string) {
  let committed: Statement[] = []
  return {
    connect: (options: object): Connections => {
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
