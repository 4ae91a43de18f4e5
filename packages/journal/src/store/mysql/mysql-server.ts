import { endedByHandler, type HandlerGuard, type Run, type SqlServer } from '../session/server.ts'
import { migrate, usableSchema } from './migrate.ts'
import { isLostConnection, MYSQL, mysqlErrorOf, wasOvertaken } from './mysql-errors.ts'
import { statements } from './statements.ts'

export const mysqlServer: SqlServer = {
  ...statements,
  isLostConnection,
  wasOvertaken,
  migrate,
  usableSchema,
  begin: async () => {},
  guard,
}

/**
 * A deadlock rolls the whole transaction back at the server. What a handler that swallows that error writes next would be committed by
 * itself, and again when the handler is called again. So nothing commits by itself until the handler has ended. That can be taken back
 * only when the transaction is over: it is committed here, before the library does. And MySQL waits for an idle transaction for eight
 * hours, unless the connection says otherwise.
 */
async function guard(run: Run, idleMs: number): Promise<HandlerGuard> {
  const { rows } = await run('select @@session.wait_timeout as n, @@session.autocommit as number', [], 'rows')
  const [{ n: waits, number: autocommit }] = rows as [{ readonly n: number; readonly number: number }]
  const idleSeconds = Math.min(waits, Math.ceil(idleMs / 1000))
  await run(`set session autocommit = 0, session wait_timeout = ${idleSeconds}`, [], 'count')
  await run('savepoint tallystick', [], 'count')
  return {
    abort: async () => {
      await run('rollback', [], 'count')
      await run('set session transaction read only', [], 'count')
    },
    finish: async () => {
      try {
        await run('release savepoint tallystick', [], 'count')
      } catch (error) {
        throw mysqlErrorOf(error)?.code === MYSQL.NO_SUCH_SAVEPOINT ? endedByHandler() : error
      }
      await run('commit', [], 'count')
    },
    release: async () => {
      await run('rollback', [], 'count')
      await run('set session transaction read write', [], 'count')
      await run(`set session autocommit = ${autocommit}, session wait_timeout = ${waits}`, [], 'count')
    },
  }
}
