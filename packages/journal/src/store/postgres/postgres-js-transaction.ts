import type { TransactionSql } from 'postgres'

/**
 * Runs work in a transaction of postgres.js, or of a library on it. If the connection is lost, postgres.js connects again by itself, and
 * would run on the new connection, by itself or in the transaction of another, what still comes of the work, and then its rollback. So
 * once `begin` has ended, nothing more is sent, and postgres.js does not learn how the work ends.
 *
 * @see {@link https://github.com/porsager/postgres/issues/1216}
 */
export async function whileOpen<Transaction, Result>(
  begin: (within: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
  work: (transaction: Transaction, isOver: () => boolean) => Promise<Result>,
): Promise<Result> {
  let isOver = false
  async function within(transaction: Transaction): Promise<Result> {
    try {
      const result = await work(transaction, () => isOver)
      if (!isOver) return result
    } catch (error) {
      if (!isOver) throw error
    }
    return await new Promise<never>(() => {})
  }
  try {
    return await begin(within)
  } finally {
    isOver = true
  }
}

/** The same transaction, in which nothing is sent when it is over. */
export function refusing<Types extends Record<string, unknown>>(
  sql: TransactionSql<Types>,
  isOver: () => boolean,
): TransactionSql<Types> {
  function check(): void {
    if (isOver())
      throw new Error('The transaction is over, or its connection was lost: nothing more can be written in it')
  }
  return new Proxy(sql, {
    apply: (target, self, args) => {
      check()
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        check()
        const given = name === 'savepoint' ? args.map((arg) => within(arg)) : args
        return Reflect.apply(value, target, given)
      }
    },
  })

  function within(work: unknown): unknown {
    if (typeof work !== 'function') return work
    return (nested: TransactionSql<Types>) => Reflect.apply(work, undefined, [refusing(nested, isOver)])
  }
}

export function isTransactionSql(value: unknown): value is TransactionSql {
  return typeof value === 'function' && 'savepoint' in value && 'unsafe' in value
}
