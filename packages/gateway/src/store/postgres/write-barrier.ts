import { serverCode } from './failure.ts'
import { locksOf } from './locks.ts'
import { type TransactionTools, transact } from './transaction.ts'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Waits until every writing transaction that is open now has ended, on any node. It does not wait for long, because every
 * transaction that begins meanwhile waits behind it.
 *
 * @returns `false` if one of them did not end in time
 */
export function barrierOf(schema: string, bare: TransactionTools): () => Promise<boolean> {
  const { alone, briefly } = locksOf(schema)
  const tools = { ...bare, opening: [briefly, alone], patienceMs: 0 }
  return async () => {
    try {
      await transact(function* () {
        yield []
        return { keep: false, result: undefined }
      }, tools)
      return true
    } catch (error) {
      if (error instanceof Error && serverCode(error) === LOCK_NOT_AVAILABLE) return false
      throw error
    }
  }
}
