import { isPool, keepingErrors } from '../postgres/connection.ts'

/** What a pool of mysql2, or a `Sql` of postgres.js, shows of its size. */
interface Sized {
  readonly options?: { readonly max?: unknown }
  readonly config?: { readonly connectionLimit?: unknown }
  /** The one that a promise pool of mysql2 has inside. */
  readonly pool?: Sized
}

/** How many connections a pool of the shop's driver has at most. Errors of those of pg are listened to from now on. */
export function connectionsIn(pool: unknown): number | undefined {
  if (isPool(pool)) return keepingErrors(pool).options.max
  const { options, config, pool: within } = Object(pool) as Sized
  const most = options?.max ?? config?.connectionLimit ?? within?.config?.connectionLimit
  return typeof most === 'number' ? most : undefined
}
