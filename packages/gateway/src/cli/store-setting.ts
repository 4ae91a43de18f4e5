import { resolve } from 'node:path'

export function isPostgres(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store)
}

/** Where the orders are, for the log: the operator may have meant another folder. An address may hold a password: not shown. */
export function storeShown(store: string, folder: string): string {
  if (store === 'memory') return store
  return isPostgres(store) ? 'PostgreSQL' : resolve(folder, store)
}
